import {
  type analysis,
  type AnalysisGrain,
  analysisFigure,
  analysisGrain,
  type AnalysisKpi,
  type AnalysisShare,
  type Cohort,
  type HeatCell,
  type TrendPoint,
} from '@wattdeck/contract/dashboard/analysis.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { planByValues } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import {
  beginOf,
  changeOf,
  comparedOf,
  type Days,
  endOf,
  type Part,
} from '../../../core/statistics/stat-compare.rules.ts'
import { bigs, type Figure, type Sums, sumsOf } from '../../../core/statistics/stat-page.store.ts'
import { partSums } from '../../../core/statistics/stat-part.store.ts'
import { plusMonths } from '../../../core/statistics/stat-periods.rules.ts'
import { type StatFilter, statPlace } from '../../../core/statistics/stat-place.store.ts'
import { revenueOf } from '../../../core/statistics/revenue.rules.ts'
import * as rules from './analysis.rules.ts'

type Ranged = QueryOf<typeof analysis.kpis>
type Grained = QueryOf<typeof analysis.trend>

export const readDeviceTypes = (db: Db) => db.selectFrom('device_type').select(['id', 'name']).orderBy('id').execute()

export async function readKpis(db: Db, scope: Scope, query: Ranged) {
  await planByValues(db)
  const days = rules.rangeOf(query, Date.now())
  const { until, part, previous, lastYear } = comparedOf(days, Date.now())
  const read = async (of: Part | null) =>
    of === null
      ? undefined
      : (await partSums(db, scope, { filter: query, part: of, figures: rules.kpiFigures })).get('')
  const [all, now, before, year] = [
    await read({ ...days, hours: null }),
    await read(part),
    await read(previous),
    await read(lastYear),
  ]
  const figures = analysisFigure.options.map(({ value: key }): AnalysisKpi => {
    const hasValue = query.deviceTypeId === undefined || !rules.untyped.has(key)
    const of = (sums: rules.KpiSums | undefined) => (sums === undefined ? 0n : rules.figureOf[key](sums))
    const text = (sums: rules.KpiSums | undefined) => (hasValue ? rules.figureText(key, of(sums)) : null)
    return {
      key,
      value: text(all),
      part: text(now),
      previous: text(before),
      lastYear: text(year),
      previousChange: hasValue ? changeOf(of(now), of(before)) : null,
      lastYearChange: hasValue ? changeOf(of(now), of(year)) : null,
    }
  })
  const span = ({ from, to }: Part) => ({ from, to })
  return { until, previous: span(previous), lastYear: span(lastYear), figures }
}

const bucketSql: Record<AnalysisGrain, RawBuilder<unknown>> = {
  [analysisGrain.code.hour]: sql`to_char(hour at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:00')`,
  [analysisGrain.code.day]: sql`day::text`,
  [analysisGrain.code.week]: sql`date_trunc('week', day)::date::text`,
  [analysisGrain.code.month]: sql`to_char(day, 'YYYY-MM')`,
}
type Bucketed<F> = { filter: StatFilter; days: Days; grain: AnalysisGrain; figures: readonly F[] }

/** Sums by bucket name. */
export async function bucketSums<F extends Figure>(
  db: Db,
  scope: Scope,
  { filter, days, grain, figures }: Bucketed<F>,
): Promise<Map<string, Sums<F>>> {
  const place = await statPlace(db, scope, filter)
  const source =
    grain === analysisGrain.code.hour
      ? sql`stat_hour_live where ${place} and hour >= ${beginOf(days.from)}::timestamptz and hour < ${endOf({ ...days, hours: null })}::timestamptz`
      : sql`stat_day_live where ${place} and day between ${days.from} and ${days.to}`
  const { rows } = await sql<Record<string, string>>`
    select ${bucketSql[grain]} as name, ${sumsOf(figures)} from ${source} group by 1`.execute(db)
  return new Map(rows.map((row) => [row['name'] ?? '', bigs(figures, row)]))
}

const amountsOf = (sums: rules.KpiSums) => ({
  revenue: yuanText(revenueOf(sums)),
  orders: Number(rules.ordersOf(sums)),
  energyDwh: Number(sums.energy_dwh),
})
const nothing = bigs(rules.kpiFigures, undefined)

/** Buckets that have begun, each with the bucket at the same position of the previous period. */
export async function readTrend(db: Db, scope: Scope, query: Grained): Promise<TrendPoint[]> {
  await planByValues(db)
  const days = rules.rangeOf(query, Date.now())
  const grain = rules.grainOf(days, query.grain)
  const { previous } = comparedOf(days, Date.now())
  const read = (of: Days) => bucketSums(db, scope, { filter: query, days: of, grain, figures: rules.kpiFigures })
  const [now, before] = [await read(days), await read(previous)]
  const places = rules.bucketsOf(previous, grain, Date.now())
  return rules
    .bucketsOf(days, grain, Date.now())
    .filter(({ seconds }) => seconds > 0)
    .map(({ name }, place) => {
      const sums = now.get(name) ?? nothing
      const other = places[place]?.name
      return {
        period: name,
        ...amountsOf(sums),
        service: yuanText(sums.service_fen),
        refunded: yuanText(sums.refunded_fen),
        members: query.deviceTypeId === undefined ? Number(sums.members) : null,
        before: other === undefined ? null : { period: other, ...amountsOf(before.get(other) ?? nothing) },
      }
    })
}

export async function readTypes(db: Db, scope: Scope, query: Ranged): Promise<AnalysisShare[]> {
  await planByValues(db)
  const { from, to } = rules.rangeOf(query, Date.now())
  const { rows } = await sql<Record<string, string>>`
    select device_type.id::text as id, device_type.name, sums.* from (
      select device_type_id, ${sumsOf(rules.kpiFigures)} from stat_day_live
      where ${await statPlace(db, scope, query)} and day between ${from} and ${to} group by 1
    ) sums join device_type on device_type.id = sums.device_type_id`.execute(db)
  return rows
    .map((row) => ({ row, sums: bigs(rules.kpiFigures, row) }))
    .filter(({ sums }) => rules.ordersOf(sums) > 0n)
    .toSorted((one, other) => Number(revenueOf(other.sums) - revenueOf(one.sums)))
    .map(({ row, sums }) => ({ id: row['id'] ?? '', name: row['name'] ?? '', ...amountsOf(sums) }))
}

/** All 168 hours of the week, including hours without charges. */
export async function readHeat(db: Db, scope: Scope, query: Ranged) {
  await planByValues(db)
  const days = rules.latest(rules.rangeOf(query, Date.now()))
  const { rows } = await sql<HeatCell>`
    select extract(isodow from hour at time zone 'Asia/Shanghai')::int as weekday, extract(hour from hour at time zone 'Asia/Shanghai')::int as hour,
      sum(orders + released)::int as orders, sum(energy_dwh)::float8 as "energyDwh" from stat_hour_live
    where ${await statPlace(db, scope, query)} and hour >= ${beginOf(days.from)}::timestamptz and hour < ${endOf({ ...days, hours: null })}::timestamptz
    group by 1, 2`.execute(db)
  const found = new Map(rows.map((row) => [row.weekday * 24 + row.hour, row]))
  const cells = Array.from({ length: 168 }, (_, place): HeatCell => {
    const [weekday, hour] = [Math.floor(place / 24) + 1, place % 24]
    return found.get(weekday * 24 + hour) ?? { weekday, hour, orders: 0, energyDwh: 0 }
  })
  return { ...days, rows: cells }
}

/** Members count at their own place; the device type is ignored. */
export async function readRetention(db: Db, scope: Scope, query: Ranged): Promise<Cohort[]> {
  await planByValues(db)
  const cohorts = rules.cohortsOf(rules.rangeOf(query, Date.now()))
  const [first, last] = [cohorts[0] ?? '', cohorts.at(-1) ?? '']
  const place = await statPlace(db, scope, { ...query, deviceTypeId: undefined })
  const active = await sql<{ cohort: string; month: string; members: string }>`
    select to_char(cohort, 'YYYY-MM') as cohort, to_char(month, 'YYYY-MM') as month, sum(members)::text as members from stat_cohort_live
    where ${place} and cohort between ${`${first}-01`} and ${`${last}-01`} group by 1, 2`.execute(db)
  const sizes = await sql<{ cohort: string; members: string }>`
    select to_char(month, 'YYYY-MM') as cohort, sum(members)::text as members from stat_month_live
    where ${place} and month between ${`${first}-01`} and ${`${last}-01`} group by 1`.execute(db)
  const counts = new Map(active.rows.map(({ cohort, month, members }) => [`${cohort} ${month}`, Number(members)]))
  const registered = new Map(sizes.rows.map(({ cohort, members }) => [cohort, Number(members)]))
  const thisMonth = rules.rangeOf({}, Date.now()).to.slice(0, 7)
  return cohorts
    .filter((cohort) => cohort <= thisMonth)
    .map((cohort) => ({ cohort, members: registered.get(cohort) ?? 0, active: activeOf(cohort, thisMonth, counts) }))
}

function activeOf(cohort: string, thisMonth: string, counts: ReadonlyMap<string, number>): number[] {
  const active: number[] = []
  for (let after = 0; after <= 12 && plusMonths(cohort, after) <= thisMonth; after++)
    active.push(counts.get(`${cohort} ${plusMonths(cohort, after)}`) ?? 0)
  return active
}
