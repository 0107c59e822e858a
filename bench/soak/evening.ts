import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startApiProcess, startGatewayProcess, startWorkerProcess } from '../../apps/server/test/harness/process.ts'
import { until } from '../../apps/server/test/harness/until.ts'
import { arrivalsPerSecond } from '../../apps/simulator/src/evening.ts'
import { type ChargeFault, randomOf } from '../../apps/simulator/src/faults.ts'
import { Members } from '../../apps/simulator/src/members.ts'
import { startOwnNats, startOwnPostgres } from '../../tools/dev/local-services.ts'
import { programOf } from '../fixtures/insist.ts'
import { judgeEvening, type Verdict } from './evening-judge.ts'
import { database, makeEveningFixture, openBroker, startChargers } from './evening-fixture.ts'

/** `hurried`: the platform does not wait 90 s for an unconfirmed start; the run expires its timeout. */
type Plan = {
  ports: number
  gateways: number
  orders: number
  perSecond: number
  chargeMs: number
  seed: number
  lateStart: number
  hurried: boolean
  faultFactor: number
}

export type EveningResult = Verdict & {
  seed: number
  ports: number
  orders: number
  came: number
  turnedAway: number
  stopped: number
  unplugged: number
  /** Ports that are still occupied at the end. */
  open: number
  startMs: { p50: number; p99: number }
  /** While people arrive, and until the last order is final. */
  ordersPerSecond: number
  seconds: number
}

/** The run continues until each kind has occurred, for at most `mostExtra` times the orders of the plan. */
const faultKinds: readonly ChargeFault[] = [
  'wrongMeter',
  'backwards',
  'zeroBaseline',
  'lateStart',
  'lateBill',
  'repeatBill',
  'offline',
]
const mostExtra = 3

const hours = { fromHour: 17, toHour: 23 }
/** The share of a day's orders in these hours. */
const ofDay = 0.49

/**
 * An evening at a place with many ports: people charge through the open interface, and devices of four protocols charge
 * through real gateways. Some lose their connection, send bills late or three times, or have faulty meters. Each device
 * records its faults by order. At the end no order hangs, exactly the impossible bills are in review, and the ledger is
 * correct to the fen.
 */
export async function runEvening(plan: Plan): Promise<EveningResult> {
  const { ports, orders, perSecond, chargeMs, seed, hurried } = plan
  const { apis, gateways, broker, fixture, stop } = await startPlatform(ports, plan.gateways)
  const { superuserUrl } = await import('../../tools/ops/database.ts')
  const wrong = {
    seed,
    chargeMs,
    lateStart: plan.lateStart,
    quietMs: hurried ? 40_000 : 100_000,
    faultFactor: plan.faultFactor,
  }
  const chargers = await startChargers(fixture.identities, broker, gateways, wrong)
  const sql = new pg.Client({ connectionString: superuserUrl(database) })
  await sql.connect()
  const ask = async (text: string, values: unknown[] = []) =>
    (await sql.query<{ n: number }>(text, values)).rows[0]?.n ?? 0
  const countOnline = () => ask('select count(*)::int as n from device where online')
  await until(async () => ((await countOnline()) === chargers.devices.length ? true : undefined))

  const began = Date.now()
  const speed = ((hours.toHour - hours.fromHour) * 3600) / (orders / perSecond)
  const days = { ...hours, perDay: orders / ofDay, startedMs: began, speed }
  const members = new Members({
    client: programOf(
      apis.map(({ url }) => url),
      fixture.app,
    ),
    memberIds: fixture.memberIds,
    devices: chargers.devices,
    random: randomOf(seed + 1),
    perSecond: (nowMs) => arrivalsPerSecond(days, nowMs),
    chargeMs,
    watchMs: chargeMs / 4,
    patienceMs: 180_000 + 2 * chargeMs,
  })
  const { tally } = members
  const hurry = setInterval(() => {
    if (hurried) void makeOverdue(chargers.faults()).catch(() => undefined)
  }, 300)
  const makeOverdue = (faults: ReturnType<typeof chargers.faults>) => {
    const quiet = [...faults].flatMap(([wire, fault]) => (fault === 'lateStart' ? [wire] : []))
    return ask('update open_charge set confirm_by = now() where wire_no = any($1) and confirm_by > now()', [quiet])
  }
  const isMet = () => {
    const met = new Set(chargers.faults().values())
    return faultKinds.every((kind) => met.has(kind) || (kind === 'lateStart' && plan.lateStart === 0))
  }
  const leave = async () => {
    while (tally.started.size < orders || (!isMet() && tally.started.size < mostExtra * orders)) await sleep(100)
    members.stop()
  }
  await Promise.all([members.live(), leave()])
  const lastedS = (Date.now() - began) / 1000
  const open = () => ask('select count(*)::int as n from open_charge')
  const pendingEvents = () => ask('select count(*)::int as n from charge_news')
  /** A device that starts late sends its bill long after the order is released. */
  const isBilled = () => {
    const bills = chargers.bills()
    return [...chargers.faults().keys()].every((wire) => bills.has(wire))
  }
  const isSettled = async () => isBilled() && (await open()) + (await pendingEvents()) + chargers.unacked() === 0
  // The verdict names the orders still open after the hang limit.
  await until(async () => ((await isSettled()) ? true : undefined)).catch(() => undefined)
  clearInterval(hurry)
  const openCount = await open()
  const truth = { started: tally.started, faults: chargers.faults(), bills: chargers.bills() }
  const verdict = await judgeEvening(sql, truth)
  await sql.end()
  chargers.stop()
  await stop()
  const times = tally.startMs.toSorted((one, other) => one - other)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN
  const { came, turnedAway, stopped, unplugged } = tally
  return {
    seed,
    ports,
    orders: tally.started.size,
    came,
    turnedAway,
    stopped,
    unplugged,
    ...verdict,
    open: openCount,
    startMs: { p50: at(0.5), p99: at(0.99) },
    ordersPerSecond: Math.round((10 * tally.started.size) / lastedS) / 10,
    seconds: Math.round((Date.now() - began) / 1000),
  }
}

/** Separate real services: a database, a bus, a broker, two apis, two workers, and gateways. */
async function startPlatform(ports: number, gatewayCount: number) {
  const [nats, postgres, broker] = await Promise.all([startOwnNats(), startOwnPostgres(), openBroker()])
  process.env['POSTGRES'] = postgres.at
  process.env['NATS_URL'] = nats.url
  const { testConfig } = await import('../../apps/server/test/harness/config.ts')
  const config = { ...testConfig(database), natsUrl: nats.url }
  const fixture = await makeEveningFixture(config.secretKeys, ports)
  const env = { NATS_URL: nats.url }
  const twice = <T>(start: () => Promise<T>) => Promise.all([start(), start()])
  const [apis, workers, gateways] = await Promise.all([
    twice(() => startApiProcess(config, env)),
    twice(() => startWorkerProcess(config, env)),
    Promise.all(
      Array.from({ length: gatewayCount }, () =>
        startGatewayProcess(config, { ...env, ...broker.ca.gatewayEnv(broker.gatewayPort) }),
      ),
    ),
  ])
  const stop = async () => {
    for (const one of [...gateways, ...workers, ...apis]) await one.stop()
    await Promise.all([nats.stop(), postgres.stop(), broker.remove()])
  }
  return { apis, gateways, broker, fixture, stop }
}

export async function benchEvening(): Promise<void> {
  const number = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise)
  const plan = {
    ports: number('EVENING_PORTS', 2000),
    gateways: number('EVENING_GATEWAYS', 2),
    orders: number('EVENING_ORDERS', 20_000),
    perSecond: number('EVENING_PER_SECOND', 25),
    chargeMs: number('EVENING_CHARGE_MS', 16_000),
    seed: number('EVENING_SEED', 20_261_115),
    lateStart: number('EVENING_LATE_STARTS', 0.003),
    hurried: process.env['EVENING_HURRIED'] === '1',
    faultFactor: number('EVENING_FAULT_FACTOR', 1),
  }
  console.log(JSON.stringify(await runEvening(plan)))
  process.exit(0)
}
