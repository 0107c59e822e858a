import { setTimeout as sleep } from 'node:timers/promises'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { deviceBus } from '@wattdeck/contract/events/device-bus.ts'
import { noFaults } from '../apps/simulator/src/faults.ts'
import { startFleet } from '../apps/simulator/src/fleet.ts'
import { type Habits, realHabits } from '../apps/simulator/src/habits.ts'
import { startApiProcess, startGatewayProcess, startWorkerProcess } from '../apps/server/test/process.ts'
import { until } from '../apps/server/test/until.ts'
import { startFaultProxy } from '../tools/fault-proxy.ts'
import { startOwnNats, startOwnPostgres, startOwnRedis } from '../tools/own-engines.ts'
import { tenantsWithAdmin } from './tenants.ts'

const database = 'wattdeck_drills'
type Plan = { devices: number; outageMs: number; drills: readonly string[]; copies: number }
type Moved = {
  drill: string
  /** From the engine's return until a request is answered, an outbox row published, and records acknowledged again. */
  apiMs: number
  relayMs: number
  ingestMs: number
  asked: number
  failed: number
}
export type DrillsResult = {
  moved: Moved[]
  records: number
  /** Acknowledged records that the database does not hold, and rows that it holds twice. */
  lost: number
  twice: number
  unacked: number
  /** What the three proofs have found. */
  breaks: number[]
  /** Processes that did not live through it, and those whose health says that they are stuck. */
  died: number
  stuck: number
}

const habits: Habits = {
  ...realHabits,
  heartbeatMs: 5000,
  reportMs: 3000,
  resendMs: 3000,
  chargeMs: 1500,
  idleMs: 3000,
}

/**
 * Each engine fails in every way an installation meets, while devices settle charges and somebody uses the console. After
 * its return work must move again without a restart, and nothing that was acknowledged may be missing.
 */
export async function runDrills({ devices, outageMs, drills, copies }: Plan): Promise<DrillsResult> {
  const [nats, postgres, redis] = await Promise.all([startOwnNats(), startOwnPostgres(), startOwnRedis()])
  const lines = {
    nats: await startFaultProxy(nats.port),
    postgres: await startFaultProxy(postgres.port),
    redis: await startFaultProxy(redis.port),
  }
  process.env['POSTGRES'] = postgres.at
  // After the address is set: they read it when they are loaded.
  const { apiUrl, asSuperuser, ensureDatabase, ensureRoles, migrate, workerUrl } = await import('../tools/database.ts')
  const { registerFleet } = await import('../tools/fleet-data.ts')
  const { testConfig } = await import('../apps/server/test/config.ts')
  const { callerOf } = await import('../apps/server/test/client.ts')
  const { deviceManage } = await import('@wattdeck/contract/product/device-manage.ts')
  await ensureRoles()
  await ensureDatabase(database)
  await migrate(database)
  const [token] = await asSuperuser(database, tenantsWithAdmin)
  const identities = await registerFleet(database, { organiseId: '2', dny: devices, mqtt: 0, ports: 2 })

  const through = (url: string) => url.replace(`:${postgres.port}/`, `:${lines.postgres.port}/`)
  const config = {
    ...testConfig(database),
    apiDatabaseUrl: through(apiUrl(database)),
    workerDatabaseUrl: through(workerUrl(database)),
  }
  const env = {
    NATS_URL: `nats://127.0.0.1:${lines.nats.port}`,
    REDIS_URL: `redis://127.0.0.1:${lines.redis.port}`,
  }
  const several = <T>(start: () => Promise<T>) => Promise.all(Array.from({ length: copies }, start))
  const [apis, workers, gateways] = await Promise.all([
    several(() => startApiProcess(config, env)),
    several(() => startWorkerProcess(config, env)),
    several(() => startGatewayProcess(config, env)),
  ])
  const processes = [...apis, ...workers, ...gateways]
  const fleet = startFleet({
    identities,
    habits,
    faults: noFaults,
    seed: 1,
    dny: { host: '127.0.0.1', ports: gateways.map(({ dnyPort }) => dnyPort) },
    connectsPerSecond: 500,
  })
  const { acked } = fleet.tally

  const calls = apis.map(({ url }) => callerOf(url))
  let [asked, failed, answered] = [0, 0, 0]
  let people = true
  const using = calls.map(async (call) => {
    while (people) {
      asked++
      const status = await call(token, deviceManage.list, { query: { pageNum: 1, pageSize: 20 } }).then(
        (reply) => reply.status,
        () => 0,
      )
      if (status === 200) answered++
      else failed++
      await sleep(100)
    }
  })
  const grows = async (count: () => number, by: number) => {
    const enough = count() + by
    await until(() => (count() >= enough ? true : undefined))
  }
  const publishes = async () => {
    const ask = (text: string, values: unknown[]) =>
      asSuperuser(database, async (client) => (await client.query<{ id: string }>(text, values)).rows)
    const [row] = await ask(
      `insert into outbox (organise_id, subject, payload) values (2, 'live.2.all', '{"kind":"changed","list":"drill"}') returning id`,
      [],
    )
    await until(async () =>
      (await ask('select id from outbox where id = $1 and published_at is not null', [row?.id])).length > 0
        ? true
        : undefined,
    )
  }
  const works = async () => {
    const began = performance.now()
    const since = async (moves: Promise<void>) => {
      await moves
      return Math.round(performance.now() - began)
    }
    const [apiMs, relayMs, ingestMs] = await Promise.all([
      since(grows(() => answered, 5 * copies)),
      since(publishes()),
      since(grows(() => acked.size, Math.ceil(devices / 4))),
    ])
    return { apiMs, relayMs, ingestMs }
  }

  const freeze = async (line: { freeze: () => void; heal: () => void }) => {
    line.freeze()
    await sleep(outageMs)
    line.heal()
  }
  const down = async (engine: { kill: () => Promise<void>; restart: () => Promise<void> }) => {
    await engine.kill()
    await sleep(outageMs)
    await engine.restart()
  }
  const strikes: Record<string, () => Promise<void>> = {
    'postgres restarted': () => postgres.restart(),
    'postgres gone without a word': () => freeze(lines.postgres),
    'nats killed': () => down(nats),
    'nats wiped': () => nats.wipe(),
    'nats gone without a word': () => freeze(lines.nats),
    'nats hangs': async () => {
      nats.pause()
      await sleep(outageMs)
      nats.resume()
    },
    'device stream deleted': async () => {
      const bus = await connect({ servers: nats.url })
      await (await jetstreamManager(bus)).streams.delete(deviceBus.stream(database))
      await bus.close()
    },
    'redis killed': () => down(redis),
    'redis gone without a word': () => freeze(lines.redis),
  }
  await until(() => (fleet.connected() === devices ? true : undefined))
  await works()
  const moved: Moved[] = []
  for (const drill of drills.length > 0 ? drills : Object.keys(strikes)) {
    const strike = strikes[drill]
    if (strike === undefined) throw new Error(`no drill '${drill}'`)
    ;[asked, failed] = [0, 0]
    await strike()
    moved.push({ drill, ...(await works()), asked, failed })
    console.error(JSON.stringify(moved.at(-1)))
  }
  fleet.rest()
  await until(() => (fleet.unacked() === 0 ? true : undefined)).catch(() => undefined)
  people = false
  await Promise.all(using)
  const health = await Promise.all(processes.map(({ admin }) => fetch(`${admin}/health`).then((reply) => reply.status)))
  const { stored, breaks } = await asSuperuser(database, async (client) => {
    const rows = async <R extends object>(text: string) => (await client.query<R>(text)).rows
    await client.query("set app.scope_level = '0'; set app.organise_id = '0'")
    return {
      stored: await rows<{ key: string; count: number }>(
        `select (content ->> 'orderNo') || ':' || port_no as key, count(*)::int as count from device_record group by 1`,
      ),
      breaks: [
        await rows('select * from app.ledger_breaks() union all select * from app.order_breaks()'),
        await rows('select * from app.audit_breaks()'),
        await rows('select * from app.stat_breaks(current_date - 2, current_date + 2)'),
      ].map((found) => found.length),
    }
  })
  const known = new Set(stored.map(({ key }) => key))
  const result: DrillsResult = {
    moved,
    records: acked.size,
    lost: [...acked.keys()].filter((key) => !known.has(key)).length,
    twice: stored.filter(({ count }) => count > 1).length,
    unacked: fleet.unacked(),
    breaks,
    died: processes.filter(({ child }) => child.exitCode !== null || child.signalCode !== null).length,
    stuck: health.filter((status) => status !== 200).length,
  }
  fleet.stop()
  await Promise.all(processes.map((one) => one.kill()))
  await Promise.all(Object.values(lines).map((line) => line.stop()))
  await Promise.all([nats.stop(), postgres.stop(), redis.stop()])
  return result
}

/** Two of each process, 500 devices and twenty seconds of each outage, unless the environment says otherwise. */
export async function benchDrills(): Promise<void> {
  const number = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise)
  const result = await runDrills({
    devices: number('DRILL_DEVICES', 500),
    outageMs: number('DRILL_OUTAGE_MS', 20_000),
    copies: number('DRILL_COPIES', 2),
    drills: (process.env['DRILLS'] ?? '').split(',').filter((name) => name !== ''),
  })
  console.log(JSON.stringify(result))
  process.exit(0)
}
