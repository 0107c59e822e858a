import { type RawBuilder, sql } from 'kysely'
import type { StatDayLive, StatNowLive } from '../../../kit/db/db.gen.ts'
import type { Db } from '../../../kit/db/db.ts'
import { planByValues } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import type { StatBy } from '@wattdeck/contract/order/statistics.ts'
import { bigs, type Sums, sumsOf as sumColumns } from '../../../core/statistics/stat-page.store.ts'
import { type StatFilter, statPlace } from '../../../core/statistics/stat-place.store.ts'
import { type Level, regionOf, type RegionPath } from './big-screen.rules.ts'

/** The filter of a big screen call. */
export type ScreenFilter = RegionPath & { organiseId?: string | undefined; deviceFirstClass?: string | undefined }
/** The filter in terms of the statistics, and the level of the areas below it. */
export type ScreenParams = { filter: StatFilter; level: Level }

/** No row has this id, so an unknown class matches nothing. */
const unknownCategoryId = '0'

export async function resolveScreenParams(db: Db, request: ScreenFilter): Promise<ScreenParams> {
  const { region, level } = regionOf(request)
  await planByValues(db)
  const code = request.deviceFirstClass
  const found =
    code === undefined
      ? undefined
      : await db.selectFrom('device_category').select('id').where('code', '=', code).executeTakeFirst()
  const categoryId = code === undefined ? undefined : (found?.id ?? unknownCategoryId)
  return { filter: { organiseId: request.organiseId, region, categoryId }, level }
}

type Place = 'kind' | 'organise_id' | 'agent_id' | 'site_id' | 'district' | 'device_type_id'
export type Figure = Exclude<keyof StatDayLive, Place | 'day'> | Exclude<keyof StatNowLive, Place>
/** Months for long periods, days and hours for short ones, or the current figures. */
type Source = 'stat_month_live' | 'stat_day_live' | 'stat_hour_live' | 'stat_now_live'
type Raw = RawBuilder<unknown>

export type Reading<F extends Figure> = {
  from: Source
  figures: readonly F[]
  /** The period; all rows without it. */
  when?: RawBuilder<boolean>
}
type Grouping = { key: Raw; by?: StatBy; limit?: { order: Raw; count: number } }

/** Sums of the requested figures, by a key of the rows. */
export async function sumsBy<F extends Figure>(
  db: Db,
  scope: Scope,
  { filter }: ScreenParams,
  { from, figures, when = sql<boolean>`true` }: Reading<F>,
  { key, by, limit }: Grouping,
): Promise<Map<string, Sums<F>>> {
  const rowsOf = sql`from ${sql.table(from)} where ${await statPlace(db, scope, filter, by)} and ${when}`
  const best = (order: Raw) => sql`order by ${order} desc, ${key}::text`
  // For a ranking, the query first finds the top keys by one figure, and sums the other figures for these keys only.
  const shown =
    limit === undefined
      ? sql`group by 1`
      : sql`and ${key} = any(array(select ${key} ${rowsOf} group by ${key} having ${limit.order} > 0 ${best(limit.order)} limit ${limit.count}))
        group by ${key} ${best(limit.order)}`
  const { rows } = await sql<Record<string, string>>`
    select ${key}::text as key, ${sumColumns(figures)} ${rowsOf} ${shown}`.execute(db)
  return new Map(rows.map((row) => [row['key'] ?? '', bigs(figures, row)]))
}

export async function sumsOf<F extends Figure>(db: Db, scope: Scope, params: ScreenParams, reading: Reading<F>) {
  const found = await sumsBy(db, scope, params, reading, { key: sql`''` })
  return found.get('') ?? bigs(reading.figures, undefined)
}

export const isDay = (day: string) => sql<boolean>`day = ${day}`
export const isMonth = (month: string) => sql<boolean>`month = ${month}`
/** Hours of a day in Asia/Shanghai, from midnight up to the given hour (exclusive). */
export const hoursOf = (day: string, upto = 24) =>
  sql<boolean>`hour >= ${`${day}T00:00:00+08:00`}::timestamptz and hour < ${`${day}T00:00:00+08:00`}::timestamptz + make_interval(hours => ${upto}::int)`

/** Each hour of a day, including hours without events. */
export async function byHour<F extends Figure>(
  db: Db,
  scope: Scope,
  params: ScreenParams,
  day: string,
  figures: readonly F[],
) {
  const key = sql`extract(hour from hour at time zone 'Asia/Shanghai')::int`
  const found = await sumsBy(db, scope, params, { from: 'stat_hour_live', figures, when: hoursOf(day) }, { key })
  return Array.from({ length: 24 }, (_, hour) => ({
    hour,
    sums: found.get(String(hour)) ?? bigs(figures, undefined),
  }))
}
