import { execFileSync } from 'node:child_process'
import { connect } from '@nats-io/transport-node'
import { rechargeStatus } from '@wattdeck/contract/accounting/pay-codes.ts'
import { openCharging } from '@wattdeck/contract/open/open-charging.ts'
import { openRecharge } from '@wattdeck/contract/open/open-recharge.ts'
import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { until } from '../../apps/server/test/harness/until.ts'
import { randomOf } from '../../apps/simulator/src/faults.ts'
import { makeClock, type MovedClock, ownClock } from '../../tools/dev/moved-clock.ts'
import { breaksOf, daysLeft, jobsSince, strayRows, wrongOrders } from './year-judge.ts'
import { shanghaiTime, wasDue, YearDevices } from './year-devices.ts'
import { startInstallation } from './year-installation.ts'

/** A moment of each day: how many charges begin, how many members pay, and whether due jobs run. */
type Step = { at: string; starts?: number; pays?: number; jobs?: boolean }
/** `jobsEvery`: jobs run every n-th day, and on the first of each month. */
type Plan = { firstMs: number; days: number; steps: readonly Step[]; jobsEvery: number; seed: number }

export type YearResult = {
  from: string
  days: number
  moves: number
  jobDays: number
  orders: number
  recharges: number
  jobs: Record<string, number>
  /** All of these are empty when the clock has caused no fault. */
  failedJobs: string[]
  errorLines: string[]
  wrong: string[]
  breaks: string[]
  strays: string[]
  fewestDaysLeft: number
  /** Retained days of device messages; older ones are dropped. */
  messageDays: number
  seconds: number
}

const dayMs = 86_400_000
/** Each poll costs statements, and the run waits more than it works. */
const pollMs = 100
const seldom: readonly Step[] = [
  { at: '10:30', pays: 1, jobs: true },
  { at: '22:30', starts: 3 },
]
const often: readonly Step[] = [
  { at: '00:10', jobs: true },
  { at: '06:20', starts: 2, jobs: true },
  { at: '10:30', pays: 2, jobs: true },
  { at: '17:00', starts: 3, jobs: true },
  { at: '22:30', starts: 4, jobs: true },
]

const silent =
  'device join device_state state on state.device_id = device.id where not online or last_seen_at < to_timestamp($1)'

/**
 * The next 20 November before a leap year, as midnight in UTC. In the future, because a clock set back would break
 * running timeouts.
 */
function firstDay(): number {
  const isLeap = (year: number) => new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1
  let year = new Date().getUTCFullYear()
  while (!isLeap(year + 1) || Date.UTC(year, 10, 20) < Date.now() + 2 * dayMs) year++
  return Date.UTC(year, 10, 20)
}

/**
 * An installation whose clock is moved through the days, several times a day, also over midnight during charges. After
 * each day no job has failed, partitions exist in advance, and no process has logged an error. At the end every bill
 * follows the tariff rules and all consistency checks pass.
 */
export async function runYear(clock: MovedClock, plan: Plan): Promise<YearResult> {
  const { firstMs: first, days, steps, jobsEvery, seed } = plan
  const began = performance.now()
  // No job is due in the following minutes: a job that pg-boss starts itself would be counted beside ours.
  clock.moveTo(shanghaiTime(first, '00:03'))
  const place = await startInstallation()
  const { sql, client, memberIds, deviceNos, deviceIds, sandbox, boss } = place
  const bus = await connect({ servers: place.natsUrl })
  const random = randomOf(seed)
  const chargers = new YearDevices(bus, place.prefix, deviceIds, random)
  const any = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)] as T
  const count = async (text: string, values: unknown[] = []) =>
    (await sql.query<{ n: number }>(`select count(*)::int as n from ${text}`, values)).rows[0]?.n ?? 0
  const untilNone = (text: string, values: unknown[] = []) =>
    until(async () => ((await count(text, values)) === 0 ? true : undefined), pollMs)

  const start = async () => {
    const body = { memberId: any(memberIds), limitBy: '1', amount: '60.00' } as const
    const port = { deviceNo: any(deviceNos), portNo: String(1 + Math.floor(random() * 2)) }
    // An occupied port refuses, and the member leaves.
    await client
      .call(openCharging.start, { body: { ...body, ...port }, key: crypto.randomUUID() })
      .catch(() => undefined)
  }
  let recharges = 0
  const pay = async (provider: '1' | '2') => {
    const body = { memberId: any(memberIds), amount: '20.00', provider, way: '1' } as const
    const { rechargeNo } = await client.call(openRecharge.add, { body, key: crypto.randomUUID() })
    const read = () => client.call(openRecharge.read, { query: { rechargeNo } })
    const codeUrl = await until(async () => (await read()).codeUrl ?? undefined, pollMs)
    sandbox.pay({ codeUrl })
    await until(async () => ((await read()).status === rechargeStatus.code.waiting ? undefined : true), pollMs)
    recharges++
  }
  /** Waits until no job and no statement is active that a clock leap would end. */
  const rest = async () => {
    await untilNone('charge_news')
    await untilNone("pgboss.job where state = 'active' or (state in ('created', 'retry') and start_after <= now())")
    await untilNone(
      "pg_stat_activity where state <> 'idle' and pid <> pg_backend_pid() and backend_type = 'client backend'",
    )
  }

  const jobs: Record<string, number> = {}
  const failedJobs: string[] = []
  let [jobsMs, judgedMs, moves, jobDays, fewest] = [Date.now(), Date.now(), 0, 0, Number.POSITIVE_INFINITY]
  const runJobs = async () => {
    const { rows } = await sql.query<{ name: string; cron: string }>('select name, cron from pgboss.schedule')
    const nowMs = Date.now()
    for (const { name } of rows.filter(({ cron }) => wasDue(cron, jobsMs, nowMs))) await boss.send(name, {})
    jobsMs = nowMs
  }
  const judgeDay = async () => {
    for (const { name, ended, failed } of await jobsSince(sql, judgedMs)) {
      jobs[name] = (jobs[name] ?? 0) + ended
      if (failed > 0) failedJobs.push(`${failed} of ${name}`)
    }
    judgedMs = Date.now()
    fewest = Math.min(fewest, await daysLeft(sql))
  }

  for (let day = 0; day < days; day++) {
    const isJobDay = day % jobsEvery === 0 || new Date(first + day * dayMs).getUTCDate() === 1
    jobDays += Number(isJobDay)
    for (const { at, starts = 0, pays = 0, jobs: hasJobs = false } of steps) {
      await rest()
      const atMs = shanghaiTime(first + day * dayMs, at)
      clock.moveTo(atMs)
      moves++
      await chargers.speak()
      // Devices were silent for hours. Devices marked offline return with a heartbeat.
      await until(async () => {
        if ((await count(silent, [atMs / 1000])) === 0) return true
        await chargers.beat()
        return undefined
      }, pollMs)
      if (hasJobs && isJobDay) await runJobs()
      for (let n = 0; n < pays; n++) await pay((moves + n) % 2 === 0 ? '1' : '2')
      for (let n = 0; n < starts; n++) await start()
      await untilNone('charging_order where status = $1', [orderStatus.code.starting])
      await untilNone('open_charge where not wire_no = any($1)', [[...chargers.open]])
    }
    await rest()
    await judgeDay()
    if (process.env['YEAR_PROGRESS'] === '1') console.error(new Date().toISOString(), chargers.charges.size, fewest)
  }
  // The last charges end.
  clock.moveTo(Date.now() + dayMs / 2)
  await chargers.speak()
  await untilNone('open_charge')
  await rest()
  const breaks = await settledBreaks(() => breaksOf(sql))
  const result = {
    from: new Date(first).toISOString().slice(0, 10),
    days,
    moves,
    jobDays,
    orders: chargers.charges.size,
    recharges,
    jobs,
    failedJobs,
    errorLines: place.errorLines(),
    wrong: await wrongOrders(sql, chargers.charges),
    breaks,
    strays: await strayRows(sql),
    fewestDaysLeft: fewest,
    messageDays: await count("pg_inherits where inhparent = 'device_message'::regclass"),
    seconds: Math.round((performance.now() - began) / 1000),
  }
  await bus.close()
  await place.stop()
  return result
}

/** Aggregation lags a moment. A contradiction that persists over several reads is real. */
async function settledBreaks(look: () => Promise<string[]>): Promise<string[]> {
  let found = await look()
  for (let tries = 0; found.length > 0 && tries < 20; tries++) {
    await new Promise((resume) => setTimeout(resume, 500))
    found = await look()
  }
  return found
}

/** In a separate process under the moved clock, which its child processes inherit. */
export async function benchYear(): Promise<void> {
  const clock = ownClock()
  if (clock === undefined) {
    const { env, remove } = makeClock()
    const script = new URL('../run.ts', import.meta.url).pathname
    execFileSync(process.execPath, [script, 'year'], { env: { ...process.env, ...env }, stdio: 'inherit' })
    return remove()
  }
  const number = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise)
  const steps = process.env['YEAR_SELDOM'] === '1' ? seldom : often
  const plan = {
    firstMs: Date.parse(process.env['YEAR_FROM'] ?? new Date(firstDay()).toISOString().slice(0, 10)),
    days: number('YEAR_DAYS', 400),
    steps,
    jobsEvery: number('YEAR_JOBS_EVERY', 1),
    seed: number('YEAR_SEED', 20_271_120),
  }
  console.log(JSON.stringify(await runYear(clock, plan)))
  process.exit(0)
}
