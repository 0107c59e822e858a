import { setTimeout as sleep } from 'node:timers/promises'
import { startApiProcess, startGatewayProcess, startWorkerProcess } from '../../apps/server/test/harness/process.ts'
import { until } from '../../apps/server/test/harness/until.ts'
import { noFaults, randomOf } from '../../apps/simulator/src/faults.ts'
import { startFleet } from '../../apps/simulator/src/fleet.ts'
import { type Habits, realHabits } from '../../apps/simulator/src/habits.ts'
import { Members } from '../../apps/simulator/src/members.ts'
import { startDrillEngines } from './drill-engines.ts'
import { judgeEvening, type Verdict } from './evening-judge.ts'
import { makePlace, startFen } from './money-fixture.ts'
import { programOf } from '../fixtures/insist.ts'
import { openAdminSession } from '../fixtures/tenants.ts'

const database = 'wattdeck_drills'
type Plan = { devices: number; outageMs: number; drills: readonly string[]; copies: number }
type Moved = {
  drill: string
  /**
   * From the engine's return until requests are answered, an outbox row is published, records are acknowledged, a
   * person has started a charge and an export is ready.
   */
  apiMs: number
  relayMs: number
  ingestMs: number
  chargeMs: number
  exportMs: number
  /** Calls during the outage and the recovery, and records acknowledged during the outage. */
  asked: number
  failed: number
  acked: number
}
export type DrillsResult = {
  moved: Moved[]
  records: number
  /** Acknowledged records that the database lacks, and duplicate rows. */
  lost: number
  twice: number
  unacked: number
  /** The outcome of the charges that people started. */
  charges: Omit<Verdict, 'injected'> & { started: number }
  /** Contradictions in the audit log; those of the ledger and the statistics are among the charges. */
  auditBreaks: number
  /** Processes that died, and those whose health reports that they are stuck. */
  died: number
  stuck: number
}

/** Devices that settle their own charges. */
const habits: Habits = {
  ...realHabits,
  heartbeatMs: 5000,
  reportMs: 3000,
  resendMs: 3000,
  chargeMs: 1500,
  idleMs: 3000,
}
/**
 * Limits the load: some 25 settlements a second from 500 devices, four from the forty of the gate. When workers are
 * slower than the devices, people's bills queue behind those of the fleet until every port is occupied.
 */
const idleMsOf = (devices: number) => Math.max(20_000, 40 * devices)
/** Enough devices that a port is free while the charges interrupted by the outage wait for their bills. */
const streetSize = (devices: number) => Math.max(20, Math.ceil(devices / 10))
/** Devices that charge for people only, at the price of the money run: 51 yuan. */
const peopleHabits: Habits = { ...habits, chargeMs: 6000, idleMs: 0, peakW: [2000, 6000], priceE5: 5_100_000 }
const startsPerSecond = 2

/**
 * Each engine fails in every mode of a real installation, while devices settle charges, people charge and a person uses
 * the console. After the recovery, work must resume without a restart, no acknowledged record may be missing, and the
 * ledger must be correct to the fen.
 */
export async function runDrills({ devices, outageMs, drills, copies }: Plan): Promise<DrillsResult> {
  const engines = await startDrillEngines(database, outageMs, drills)
  const { through, env, strikes } = engines
  process.env['POSTGRES'] = engines.postgresAt
  // Imported after the address is set, because these modules read it when loaded.
  const { apiUrl, asSuperuser, workerUrl } = await import('../../tools/ops/database.ts')
  const { registerFleet } = await import('../../tools/demo/fleet-data.ts')
  const { makePayers } = await import('../../tools/demo/load-clients.ts')
  const { testConfig } = await import('../../apps/server/test/harness/config.ts')
  const { callerOf } = await import('../../apps/server/test/harness/client.ts')
  const { deviceManage } = await import('@wattdeck/contract/product/device-manage.ts')
  const config = {
    ...testConfig(database),
    apiDatabaseUrl: through(apiUrl(database)),
    workerDatabaseUrl: through(workerUrl(database)),
  }
  await makePlace(database)
  const token = await asSuperuser(database, (client) => openAdminSession(client, 1, 2))
  const place = { organiseId: '2', siteId: '3', mqtt: 0, ports: 2 }
  const identities = await registerFleet(database, { ...place, dny: devices })
  const forPeople = await registerFleet(database, { ...place, dny: streetSize(devices), after: devices })
  // 7 kW a port, so that a charge of seconds costs more than nothing.
  await asSuperuser(database, (client) => client.query('update device_type set rated_w = 3500 * port_count'))
  const { secretKeys } = config
  const payers = await makePayers(database, { organiseId: '2', secretKeys, members: devices, fen: startFen })

  const several = <T>(start: () => Promise<T>) => Promise.all(Array.from({ length: copies }, start))
  const [apis, workers, gateways] = await Promise.all([
    several(() => startApiProcess(config, env)),
    several(() => startWorkerProcess(config, env)),
    several(() => startGatewayProcess(config, env)),
  ])
  const processes = [...apis, ...workers, ...gateways]
  const dny = { host: '127.0.0.1', ports: gateways.map(({ dnyPort }) => dnyPort) }
  const fleetOf = (own: typeof identities, how: Habits) =>
    startFleet({ identities: own, habits: how, faults: noFaults, seed: 1, dny, connectsPerSecond: 500 })
  const [fleet, chargers] = [
    fleetOf(identities, { ...habits, idleMs: idleMsOf(devices) }),
    fleetOf(forPeople, peopleHabits),
  ]
  const { acked } = fleet.tally

  const members = new Members({
    client: programOf(
      apis.map(({ url }) => url),
      payers.app,
    ),
    memberIds: payers.memberIds,
    devices: chargers.devices,
    random: randomOf(2),
    perSecond: () => startsPerSecond,
    chargeMs: peopleHabits.chargeMs,
    watchMs: 2000,
    patienceMs: 300_000,
  })
  const { started } = members.tally
  const calls = apis.map(({ url }) => callerOf(url))
  let [requests, failed, answered] = [0, 0, 0]
  let people = true
  const using = calls.map(async (call) => {
    while (people) {
      requests++
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
  const ask = (text: string, values: unknown[] = []) =>
    asSuperuser(database, async (client) => (await client.query<{ id: string }>(text, values)).rows)
  const isFound = async (text: string, values: unknown[]) => ((await ask(text, values)).length > 0 ? true : undefined)
  const publishes = async () => {
    const [row] = await ask(
      `insert into outbox (organise_id, subject, payload) values (2, 'live.2.all', '{"kind":"changed","list":"drill"}') returning id`,
    )
    await until(() => isFound('select id from outbox where id = $1 and published_at is not null', [row?.id]))
  }
  /** A person requests a failed file again. */
  const exports = () =>
    until(async () => {
      const asks = calls[0]?.(token, deviceManage.exportList, { body: { columns: ['deviceNo'] } })
      const reply = await asks?.catch(() => undefined)
      if (reply?.status !== 200) return undefined
      const { id } = reply.data
      await until(() => isFound('select id from download where id = $1 and status in (2, 3)', [id]))
      return isFound('select id from download where id = $1 and status = 2', [id])
    })
  const works = async () => {
    const began = performance.now()
    const since = async (moves: Promise<unknown>) => {
      await moves
      return Math.round(performance.now() - began)
    }
    const [apiMs, relayMs, ingestMs, chargeMs, exportMs] = await Promise.all([
      since(grows(() => answered, 5 * copies)),
      since(publishes()),
      since(grows(() => acked.size, Math.ceil(devices / 4))),
      since(grows(() => started.size, 3)),
      since(exports()),
    ])
    return { apiMs, relayMs, ingestMs, chargeMs, exportMs }
  }

  /** The work in progress when the run stalled. */
  const standing = async () => ({
    members: { ...members.tally, started: started.size, startMs: 0 },
    connected: fleet.connected() + chargers.connected(),
    unacked: fleet.unacked() + chargers.unacked(),
    orders: await ask('select status as id, count(*)::int from charging_order group by 1'),
    open: await ask(
      `select o.order_id as id, c.status, c.reason, o.confirm_by - now() as left, o.reported_at, o.retry_at > now() as waits
       from open_charge o left join device_command c on c.id = o.command_id order by 1 desc limit 20`,
    ),
    news: await ask('select count(*)::text as id from charge_news'),
    ports: await ask('select status as id, count(*)::int from port group by 1'),
    online: await ask('select online as id, count(*)::int from device group by 1'),
  })

  await until(() => (fleet.connected() + chargers.connected() === devices + forPeople.length ? true : undefined))
  const charging = members.live()
  await works()
  const moved: Moved[] = []
  for (const drill of drills.length > 0 ? drills : Object.keys(strikes)) {
    const strike = strikes[drill]
    if (strike === undefined) throw new Error(`no drill '${drill}'`)
    ;[requests, failed] = [0, 0]
    const ackedBefore = acked.size
    await strike()
    const ackedMeanwhile = acked.size - ackedBefore
    const worked = await works().catch(async (error: unknown) => {
      console.error(JSON.stringify({ drill, ...(await standing()) }))
      throw error
    })
    moved.push({ drill, ...worked, asked: requests, failed, acked: ackedMeanwhile })
    console.error(JSON.stringify(moved.at(-1)))
  }
  fleet.rest()
  members.stop()
  await charging
  const isOver = async () =>
    fleet.unacked() + chargers.unacked() === 0 &&
    (await ask('select order_id as id from open_charge union all select id from charge_news')).length === 0
  // The result reports charges that are still open after the hang limit.
  await until(async () => ((await isOver()) ? true : undefined)).catch(() => undefined)
  people = false
  await Promise.all(using)
  const isDead = ({ child }: (typeof processes)[number]) => child.exitCode !== null || child.signalCode !== null
  for (const one of processes.filter(isDead)) console.error(one.child.spawnargs.join(' '), one.output().slice(-4000))
  const living = processes.filter((one) => !isDead(one))
  const health = await Promise.all(living.map(({ admin }) => fetch(`${admin}/health`).then((reply) => reply.status)))
  const { stored, auditBreaks, verdict } = await asSuperuser(database, async (client) => {
    const rows = async <R extends object>(text: string) => (await client.query<R>(text)).rows
    await client.query("set app.scope_level = '0'; set app.organise_id = '0'")
    return {
      stored: await rows<{ key: string; count: number }>(
        `select (content ->> 'orderNo') || ':' || port_no as key, count(*)::int as count from device_record group by 1`,
      ),
      auditBreaks: (await rows('select * from app.audit_breaks()')).length,
      verdict: await judgeEvening(client, { started, faults: new Map(), bills: chargers.tally.bills }, 'paid'),
    }
  })
  const { injected: _, ...charges } = verdict
  const storedKeys = new Set(stored.map(({ key }) => key))
  const result: DrillsResult = {
    moved,
    records: acked.size,
    lost: [...acked.keys()].filter((key) => !storedKeys.has(key)).length,
    twice: stored.filter(({ count }) => count > 1).length,
    unacked: fleet.unacked() + chargers.unacked(),
    charges: { started: started.size, ...charges },
    auditBreaks,
    died: processes.length - living.length,
    stuck: health.filter((status) => status !== 200).length,
  }
  fleet.stop()
  chargers.stop()
  await Promise.all(processes.map((one) => one.kill()))
  await engines.stop()
  return result
}

/** Two of each process, 500 devices and twenty seconds of each outage, unless the environment sets other values. */
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
