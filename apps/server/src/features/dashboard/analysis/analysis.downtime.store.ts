import type { analysis } from '@wattdeck/contract/dashboard/analysis.ts'
import { type AnalysisGrain, analysisGrain } from '@wattdeck/contract/dashboard/analysis.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { planByValues } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { beginOf, type Days, endOf } from '../../../core/statistics/stat-compare.rules.ts'
import { statNow } from '../../../core/statistics/stat-page.store.ts'
import { secondsOf } from '../../../core/statistics/stat-periods.rules.ts'
import { statPlace } from '../../../core/statistics/stat-place.store.ts'
import * as rules from './analysis.rules.ts'
import { bucketSums } from './analysis.store.ts'

type Query = QueryOf<typeof analysis.usage>

async function portsOf(db: Db, scope: Scope, query: Query): Promise<bigint> {
  return (await statNow(db, scope, query, ['ports'])).get('')?.ports ?? 0n
}

/** Charged time as a share of the port time, for the current number of ports. */
export async function readUsage(db: Db, scope: Scope, query: Query) {
  await planByValues(db)
  const days = rules.rangeOf(query, Date.now())
  const grain = rules.grainOf(days, query.grain)
  const ports = await portsOf(db, scope, query)
  const sums = await bucketSums(db, scope, { filter: query, days, grain, figures: ['seconds'] })
  const rows = rules
    .bucketsOf(days, grain, Date.now())
    .filter(({ seconds }) => seconds > 0)
    .map(({ name, seconds: passed }) => {
      const seconds = sums.get(name)?.seconds ?? 0n
      const portSeconds = ports * BigInt(passed)
      return {
        period: name,
        seconds: Number(seconds),
        portSeconds: Number(portSeconds),
        usage: rules.percentOf(seconds, portSeconds),
      }
    })
  const charged = rows.reduce((sum, { seconds }) => sum + seconds, 0)
  const usage = rules.percentOf(BigInt(charged), ports * BigInt(secondsOf(days, Date.now())))
  return { ports: Number(ports), usage, rows }
}

const local = sql`hour at time zone 'Asia/Shanghai'`
const bucketSql: Record<AnalysisGrain, RawBuilder<unknown>> = {
  [analysisGrain.code.hour]: sql`to_char(${local}, 'YYYY-MM-DD HH24:00')`,
  [analysisGrain.code.day]: sql`to_char(${local}, 'YYYY-MM-DD')`,
  [analysisGrain.code.week]: sql`to_char(date_trunc('week', ${local}), 'YYYY-MM-DD')`,
  [analysisGrain.code.month]: sql`to_char(${local}, 'YYYY-MM')`,
}
const during = (days: Days) =>
  sql`hour >= ${beginOf(days.from)}::timestamptz and hour < ${endOf({ ...days, hours: null })}::timestamptz`

/** Downtime in port seconds, with the lost revenue. */
export async function readDowntime(db: Db, scope: Scope, query: Query) {
  await planByValues(db)
  const days = rules.latest(rules.rangeOf(query, Date.now()))
  const grain = rules.grainOf(days, query.grain)
  const found = await sql<{ name: string; offline: number; fault: number }>`
    select ${bucketSql[grain]} as name, sum(offline_port_s)::float8 as offline, sum(fault_port_s)::float8 as fault from stat_outage_live
    where ${await statPlace(db, scope, query)} and ${during(days)} group by 1`.execute(db)
  const down = new Map(found.rows.map((row) => [row.name, row]))
  const rows = rules
    .bucketsOf(days, grain, Date.now())
    .filter(({ seconds }) => seconds > 0)
    .map(({ name }) => ({
      period: name,
      offlinePortS: down.get(name)?.offline ?? 0,
      faultPortS: down.get(name)?.fault ?? 0,
    }))
  const offlinePortS = rows.reduce((sum, row) => sum + row.offlinePortS, 0)
  const faultPortS = rows.reduce((sum, row) => sum + row.faultPortS, 0)
  const all = (await portsOf(db, scope, query)) * BigInt(secondsOf(days, Date.now()))
  const lostFen = await readLostRevenue(db, scope, query, days)
  return {
    ...days,
    offlinePortS,
    faultPortS,
    share: rules.percentOf(BigInt(offlinePortS + faultPortS), all),
    lost: lostFen === null ? null : yuanText(lostFen),
    rows,
  }
}

/** By device type and hour of the day: downtime, revenue of the other ports, and number of ports. */
async function readLostRevenue(db: Db, scope: Scope, query: Query, days: Days): Promise<bigint | null> {
  const place = await statPlace(db, scope, query)
  const { rows } = await sql<{ hour: number; down: string; earned: string; ports: string }>`
    with down as (
      select device_type_id, extract(hour from ${local})::int as clock, sum(offline_port_s + fault_port_s) as seconds from stat_outage_live where ${place} and ${during(days)} group by 1, 2
    ), earned as (
      select device_type_id, extract(hour from ${local})::int as clock, sum(electricity_fen + service_fen + occupancy_fen) as fen from stat_hour_live where ${place} and ${during(days)} group by 1, 2
    ), ports as (select device_type_id, sum(ports) as ports from stat_now_live where ${place} group by 1)
    select down.clock as hour, down.seconds::text as down, coalesce(earned.fen, 0)::text as earned, coalesce(ports.ports, 0)::text as ports
    from down left join earned using (device_type_id, clock) left join ports using (device_type_id)`.execute(db)
  return rules.lostOf(
    rows.map(({ hour, down, earned, ports }) => ({
      hour,
      down: BigInt(down),
      earned: BigInt(earned),
      ports: BigInt(ports),
    })),
    rules.secondsByHour(days, Date.now()),
  )
}
