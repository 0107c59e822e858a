import { connect as connectTcp, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { parsePhysicalId, physicalIdOf, physicalIdText } from '@wattdeck/device-protocol/dny/frame.ts'
import { encodeUp } from '@wattdeck/device-protocol/dny/up.ts'
import { plugStatus } from '@wattdeck/device-protocol/plug-status.ts'
import pg from 'pg'
import type { Identity } from '../../apps/simulator/src/wire.ts'
import { testConfig } from '../../apps/server/test/harness/config.ts'
import { startGatewayProcess, startWorkerProcess } from '../../apps/server/test/harness/process.ts'
import {
  asSuperuser,
  dropDatabase,
  ensureDatabase,
  ensureRoles,
  migrate,
  superuserUrl,
} from '../../tools/ops/database.ts'
import { registerFleet } from '../../tools/demo/fleet-data.ts'
import { dropStreams } from '../../tools/dev/streams.ts'
import { withoutIndexes } from '../fixtures/fill.ts'

const database = 'wattdeck_bench_ingest'
const small = 10_000
const large = Number(process.env['INGEST_DEVICES'] ?? '1000000')
const speakers = 1000
const messages = Number(process.env['INGEST_MESSAGES'] ?? '60000')
const most = 20_000
/** Frames that a device sends at once. */
const each = 3
/** Reading the progress of a worker costs the worker time, too. */
const lookEveryMs = 100

/**
 * Throughput from a device's socket to the committed row, in messages a second. The baseline is the slowest bare engine
 * on the path, on the same two cores in the same run. A second pass has a hundred times as many devices in the table.
 */
export async function benchIngest(): Promise<void> {
  await ensureRoles()
  await dropDatabase(database)
  await ensureDatabase(database)
  await migrate(database)
  await asSuperuser(database, (client) => client.query("insert into organise (id, name) values (2, '机构')"))
  const config = testConfig(database)
  const few = await registerFleet(database, { organiseId: '2', dny: small, mqtt: 0, ports: 2 })
  await asSuperuser(database, (client) => client.query('vacuum analyze device, device_state, port'))
  const stages = { stream: await bareStream(config.natsUrl), upsert: await bareUpsert() }
  const worker = await startWorkerProcess(config)
  const gateway = await startGatewayProcess(config)
  const run = (identities: Identity[]) => pump(identities, gateway.dnyPort, worker.admin)
  await run(few) // warm-up: plans, caches, connections
  const rates = [await run(few), await run(few), await run(few)].toSorted((one, other) => one - other)
  const ours = rates[1] ?? 0
  const slowest = Math.min(...Object.values(stages))
  console.log(
    `bare: stream ${Math.round(stages.stream)}/s, batched upsert with journal ${Math.round(stages.upsert)}/s; ours ${rates.map((rate) => Math.round(rate)).join(', ')}/s; ratio ${(ours / slowest).toFixed(2)} (goal 0.5)`,
  )
  await asSuperuser(database, fillUp)
  // The first ten thousand devices still exist: the run selects every hundredth of all.
  const [first] = few
  if (first === undefined) throw new Error('no devices')
  const spread = Array.from({ length: speakers }, (_, n): Identity => {
    const printedNo = firstNo + n * Math.floor(large / speakers)
    return { ...first, wireId: physicalIdText(physicalIdOf({ deviceKind: 5, printedNo })), deviceNo: `0${printedNo}` }
  })
  await run(spread)
  const more = [await run(spread), await run(spread), await run(spread)].toSorted((one, other) => one - other)
  console.log(
    `with ${large} devices ${more.map((rate) => Math.round(rate)).join(', ')}/s: cost a message ${(ours / (more[1] ?? 1)).toFixed(2)} times that with ${small} (goal 1.2)`,
  )
  await gateway.stop()
  await worker.stop()
  await dropDatabase(database)
  await dropStreams(database)
  process.exit(0)
}

/** The number printed on the first device of `registerFleet`. */
const firstNo = 1_000_001

/** The remaining devices as `registerFleet` creates them row by row: with triggers and indexes that takes an hour. */
async function fillUp(client: pg.Client): Promise<void> {
  const part = (shift: number) => `lpad(to_hex((no >> ${shift}) & 255), 2, '0')`
  await client.query('alter table device disable trigger user')
  await withoutIndexes(client, ['device', 'device_state'], async () => {
    await client.query(
      `insert into device (organise_id, device_no, name, device_type_id, category_id, small_category_id, adapter, wire_id, port_count, free_ports)
       select 2, '0' || no, '模拟设备' || no, like_it.device_type_id, like_it.category_id, like_it.small_category_id, 'dny',
         ${part(0)} || ${part(8)} || ${part(16)} || '05', 2, 2
       from generate_series(${firstNo + small}, ${firstNo + large - 1}) no, (select * from device limit 1) like_it`,
    )
    await client.query(
      `insert into device_state (device_id, organise_id) select id, organise_id from device on conflict do nothing`,
    )
    await client.query(
      `insert into port (device_id, port_no, organise_id) select id, n, organise_id from device, generate_series(1, 2) n on conflict do nothing`,
    )
  })
  await client.query('alter table device enable trigger user')
  await client.query('vacuum analyze device, device_state, port')
}

const frameOf = (identity: Identity, messageId: number, working: boolean): Uint8Array => {
  const status = plugStatus.say('dny', working ? 'working' : 'free')
  const frame = encodeUp(
    { physicalId: parsePhysicalId(identity.wireId) ?? 0, messageId },
    { kind: 'heartbeat', ports: [status, plugStatus.say('dny', 'free')], voltageDv: 2200, localSignal: 0 },
  )
  if (!frame.ok) throw new Error(frame.reason)
  return frame.value.bytes
}

const committed = async (admin: string) =>
  Number(/^device_messages_total (\d+)/m.exec(await (await fetch(`${admin}/metrics`)).text())?.[1] ?? 0)

/** Some devices send as fast as the gateway reads. One in twenty messages changes a port. */
async function pump(identities: Identity[], port: number, admin: string): Promise<number> {
  const chosen = identities
    .filter((_, place) => place % Math.floor(identities.length / speakers) === 0)
    .slice(0, speakers)
  const sockets = await Promise.all(
    chosen.map(
      (_, place) =>
        new Promise<Socket>((resolve) => {
          setTimeout(() => {
            const socket = connectTcp(port, '127.0.0.1', () => resolve(socket))
            socket.resume()
          }, place)
        }),
    ),
  )
  for (const [place, identity] of chosen.entries()) sockets[place]?.write(frameOf(identity, 1, false))
  await sleep(2000)
  // Frames are encoded before the measurement, which covers the receivers. One turn in twenty changes a port.
  const turns = 20
  const written = chosen.map((identity) =>
    Array.from({ length: turns }, (_, turn) =>
      Buffer.concat(Array.from({ length: each }, (__, n) => frameOf(identity, turn * each + n + 2, turn === 0))),
    ),
  )
  const before = await committed(admin)
  let done = 0
  const looking = setInterval(() => void committed(admin).then((now) => (done = now - before)), lookEveryMs)
  const started = performance.now()
  let sent = 0
  for (let turn = 0; sent < messages;) {
    if (sent - done > most) {
      await sleep(5)
      continue
    }
    for (const [place, socket] of sockets.entries()) {
      const bytes = written[place]?.[(turn + place) % turns]
      if (bytes !== undefined) socket.write(bytes)
    }
    turn += 1
    sent += sockets.length * each
    await sleep(0)
  }
  while (done < sent) await sleep(5)
  clearInterval(looking)
  const seconds = (performance.now() - started) / 1000
  for (const socket of sockets) socket.destroy()
  await sleep(2000)
  return sent / seconds
}

/** Envelopes of 100 through the stream: published, pulled and acknowledged. */
async function bareStream(url: string): Promise<number> {
  const bus = await connect({ servers: url })
  const manager = await jetstreamManager(bus)
  const name = 'wattdeck_bench_bare'
  await manager.streams.delete(name).catch(() => undefined)
  await manager.streams.add({ name, subjects: [`${name}.>`], retention: 'workqueue' })
  await manager.consumers.add(name, { durable_name: 'all', ack_policy: 'explicit' })
  const data = JSON.stringify({
    items: Array.from({ length: 100 }, (_, n) => ({
      id: String(n),
      e: { kind: 'heartbeat', ports: [1, 1] },
      f: 'RE5ZRE5ZRE5ZRE5ZRE5Z',
    })),
  })
  const stream = jetstream(bus)
  const total = 2000
  const started = performance.now()
  const publishing = (async () => {
    for (let from = 0; from < total; from += 4)
      await Promise.all([0, 1, 2, 3].map(() => stream.publish(`${name}.x`, data)))
  })()
  const consumer = await stream.consumers.get(name, 'all')
  let receivedCount = 0
  for await (const message of await consumer.consume({ max_messages: 200 })) {
    message.ack()
    if (++receivedCount === total) break
  }
  await publishing
  const rate = (total * 100) / ((performance.now() - started) / 1000)
  await manager.streams.delete(name)
  await bus.close()
  return rate
}

/** The minimum of writes: the journal row and the newest state, 1,000 at a time, four in parallel. */
async function bareUpsert(): Promise<number> {
  const pool = new pg.Pool({ connectionString: superuserUrl(database), max: 4 })
  const rounds = 60
  const size = 1000
  const content = JSON.stringify({
    kind: 'heartbeat',
    ports: [
      { name: 'free', raw: 0 },
      { name: 'free', raw: 0 },
    ],
    voltageDv: 2200,
  })
  const { rows } = await pool.query<{ id: string }>('select id from device order by id')
  const base = (BigInt(Date.now() - 1_735_689_600_000) << 22n) + 4000n * 1024n
  let next = 0
  const started = performance.now()
  const lane = async () => {
    for (;;) {
      const round = next++
      if (round >= rounds) return
      const ids = rows.slice((round * size) % rows.length, ((round * size) % rows.length) + size).map(({ id }) => id)
      const client = await pool.connect()
      await client.query('begin')
      await client.query(
        `insert into device_message (id, device_id, organise_id, direction, kind, content, frame)
         select n, d, 2, 1, 'heartbeat', $3::jsonb, $4 from unnest($1::bigint[], $2::bigint[]) as u (n, d)`,
        [ids.map((_, n) => String(base + BigInt(round * size + n))), ids, content, Buffer.alloc(24)],
      )
      await client.query(
        `update device_state s set last_seen_at = now(), online_until = now() + interval '370 s', voltage_dv = 2200
         from unnest($1::bigint[]) as u (d) where s.device_id = u.d`,
        [ids],
      )
      await client.query('commit')
      client.release()
    }
  }
  await Promise.all([lane(), lane(), lane(), lane()])
  const rate = (rounds * size) / ((performance.now() - started) / 1000)
  await pool.query('truncate device_message')
  await pool.end()
  return rate
}
