import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { deviceBus } from '@wattdeck/contract/events/device-bus.ts'
import { type Habits, realHabits } from '../../apps/simulator/src/habits.ts'
import { noFaults } from '../../apps/simulator/src/faults.ts'
import { startFleet } from '../../apps/simulator/src/fleet.ts'
import { makeBroker } from '../../apps/gateway/test/mqtt-broker.ts'
import { freePort, startGatewayProcess, startWorkerProcess } from '../../apps/server/test/harness/process.ts'
import { until } from '../../apps/server/test/harness/until.ts'
import { startOwnNats, startOwnPostgres } from '../../tools/dev/local-services.ts'

const database = 'wattdeck_chaos'
type Plan = { devices: number; rounds: number; answerEarly: boolean }
export type ChaosResult = {
  devices: number
  kills: string[]
  /** Records that devices created, that the platform acknowledged, that the database holds, and duplicate rows. */
  made: number
  acked: number
  stored: number
  twice: number
  /** Acknowledged but not in the database: the device has deleted them, so they are lost. */
  lost: number
  /** In the database, but created by no device. */
  invented: number
  unacked: number
  seconds: number
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
 * Devices of both protocols settle charges continuously, while gateway, worker, stream, broker and database are killed
 * in turn. At the end every acknowledged record must be in the database, once.
 */
export async function runChaos({ devices, rounds, answerEarly }: Plan): Promise<ChaosResult> {
  const started = Date.now()
  const [nats, postgres] = await Promise.all([startOwnNats(), startOwnPostgres()])
  process.env['POSTGRES'] = postgres.at
  process.env['NATS_URL'] = nats.url
  // Imported after the address is set, because these modules read it when loaded.
  const { asSuperuser, ensureDatabase, ensureRoles, migrate } = await import('../../tools/ops/database.ts')
  const { registerFleet } = await import('../../tools/demo/fleet-data.ts')
  const { testConfig } = await import('../../apps/server/test/harness/config.ts')
  await ensureRoles()
  await ensureDatabase(database)
  await migrate(database)
  await asSuperuser(database, (client) => client.query("insert into organise (id, name) values (2, '机构')"))
  const dny = Math.round(devices * 0.7)
  const identities = await registerFleet(database, { organiseId: '2', dny, mqtt: devices - dny, ports: 2 })
  const broker = await makeBroker(freePort)
  const certificates = broker.ca.issue(identities.slice(dny).map(({ deviceNo }) => deviceNo))
  const config = { ...testConfig(database), natsUrl: nats.url }

  const env = {
    NATS_URL: nats.url,
    ...broker.ca.gatewayEnv(broker.gatewayPort),
    ...(answerEarly ? { GATEWAY_ANSWER_EARLY: 'lose-records' } : {}),
  }
  const ports = [await freePort(), await freePort()]
  const startGateway = (place: number) => startGatewayProcess(config, { ...env, DNY_PORT: String(ports[place]) })
  const startWorker = () => startWorkerProcess(config, env)
  let workers = await Promise.all([startWorker(), startWorker()])
  const gateways = await Promise.all([startGateway(0), startGateway(1)])

  const fleet = startFleet({
    identities,
    habits,
    faults: noFaults,
    seed: 1,
    dny: { host: '127.0.0.1', ports },
    mqtt: { urls: [broker.deviceUrl], ca: broker.ca.platformCa, certificates, boot: 1 },
    connectsPerSecond: 500,
  })
  const kills: string[] = []
  const { records, acked } = fleet.tally
  const grows = (some: { size: number }, by: number) => {
    const enough = some.size + by
    return until(() => (some.size >= enough ? true : undefined))
  }
  /** Devices continue to create records while a part of the platform is down. */
  const outage = () => grows(records, devices / 4)
  const victims: [string, () => Promise<void>][] = [
    // Without a stream the records wait in the memory of the gateway, and the second kill erases it.
    [
      'stream, then gateway',
      async () => {
        await nats.kill()
        await (answerEarly ? grows(acked, devices / 4) : outage())
        await gateways[0]?.kill()
        await nats.restart()
        gateways[0] = await startGateway(0)
      },
    ],
    [
      'worker',
      async () => {
        // First the other worker takes over, then none is left.
        for (const one of workers) {
          await one.kill()
          await outage()
        }
        workers = await Promise.all([startWorker(), startWorker()])
      },
    ],
    ['database', () => postgres.restart()],
    [
      'broker',
      async () => {
        await broker.kill()
        await outage()
        await broker.startAgain()
      },
    ],
    [
      'gateway',
      async () => {
        await gateways[1]?.kill()
        gateways[1] = await startGateway(1)
      },
    ],
  ]
  await until(() => (fleet.connected() === devices ? true : undefined))
  await grows(acked, devices)
  for (let round = 0; round < rounds; round++) {
    const [name, strike] = victims[round % victims.length] ?? ['', () => Promise.resolve()]
    kills.push(name)
    await strike()
    await grows(acked, devices / 2)
  }
  fleet.rest()
  await until(() => (fleet.unacked() === 0 ? true : undefined)).catch(() => explain(nats.url, asSuperuser))

  const rows = await asSuperuser(database, async (client) => {
    const { rows: found } = await client.query<{ key: string; count: number }>(
      `select (content ->> 'orderNo') || ':' || port_no as key, count(*)::int as count from device_record group by 1`,
    )
    return found
  })
  const stored = new Map(rows.map(({ key, count }) => [key, count]))
  const result: ChaosResult = {
    devices,
    kills,
    made: records.size,
    acked: acked.size,
    stored: stored.size,
    twice: rows.filter(({ count }) => count > 1).length,
    lost: [...acked.keys()].filter((key) => !stored.has(key)).length,
    invented: rows.filter(({ key }) => !records.has(key)).length,
    unacked: fleet.unacked(),
    seconds: Math.round((Date.now() - started) / 1000),
  }
  fleet.stop()
  await Promise.all([...gateways.map((gateway) => gateway.kill()), ...workers.map((one) => one.kill())])
  await broker.remove()
  await nats.stop()
  await postgres.stop()
  return result
}

/** Prints which consumer or query is stuck. */
async function explain(natsUrl: string, asSuperuser: typeof import('../../tools/ops/database.ts').asSuperuser) {
  const bus = await connect({ servers: natsUrl })
  const manager = await jetstreamManager(bus)
  for await (const { name, num_ack_pending, num_pending } of manager.consumers.list(deviceBus.stream(database)))
    console.error(`${name}: ${num_pending} wait, ${num_ack_pending} with a worker`)
  await bus.close()
  const { rows } = await asSuperuser(database, (client) =>
    client.query(
      "select state, wait_event, left(query, 90) as query from pg_stat_activity where usename = 'wattdeck_worker'",
    ),
  )
  console.error(rows)
}

/** 5,000 devices and every victim twice, then the same with early acknowledgement, which must lose some. */
export async function benchChaos(): Promise<void> {
  const devices = Number(process.env['CHAOS_DEVICES'] ?? '5000')
  const rounds = Number(process.env['CHAOS_ROUNDS'] ?? '10')
  const answerEarly = process.env['CHAOS_CONTROL'] === '1'
  const result = await runChaos({ devices, rounds, answerEarly })
  console.log(JSON.stringify(result))
  process.exit(0)
}
