import { type RawBuilder, sql } from 'kysely'
import type { StatDayLive, StatNowLive } from '../../../kit/db/db.gen.ts'
import type { Db } from '../../../kit/db/db.ts'
import { planByValues } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import type { StatBy } from '@wattdeck/contract/order/statistics.ts'
import { bigs, type Sums, sumsOf as sumColumns } from '../../../core/statistics/stat-page.store.ts'
import { type StatFilter, statPlace } from '../../../core/statistics/stat-place.store.ts'
import { type Level, regionOf, type RegionPath } from './big-screen.rules.ts'

/** What a call of the big screen is narrowed by. */
export type ScreenFilter = RegionPath & { organiseId?: string | undefined; deviceFirstClass?: string | undefined }
/** The same, as figures know it: what is asked for, and the level of the areas one below it. */
export type ScreenParams = { filter: StatFilter; level: Level }

/** Nothing has this number: a class that nobody knows finds nothing. */
const nobody = '0'

export async function readAsked(db: Db, wish: ScreenFilter): Promise<ScreenParams> {
  const { region, level } = regionOf(wish)
  await planByValues(db)
  const code = wish.deviceFirstClass
  const found =
    code === undefined
      ? undefined
      : await db.selectFrom('device_category').select('id').where('code', '=', code).executeTakeFirst()
  const categoryId = code === undefined ? undefined : (found?.id ?? nobody)
  return { filter: { organiseId: wish.organiseId, region, categoryId }, level }
}

type Place = 'kind' | 'organise_id' | 'agent_id' | 'site_id' | 'district' | 'device_type_id'
export type Figure = Exclude<keyof StatDayLive, Place | 'day'> | Exclude<keyof StatNowLive, Place>
/** By months for long times, by days and hours for short ones, or what stands there now. */
type Source = 'stat_month_live' | 'stat_day_live' | 'stat_hour_live' | 'stat_now_live'
type Raw = RawBuilder<unknown>

export type Reading<F extends Figure> = {
  from: Source
  figures: readonly F[]
  /** When; everything there is without it. */
  when?: RawBuilder<boolean>
}
type Grouping = { key: Raw; by?: StatBy; limit?: { order: Raw; count: number } }

/** Sums of what was asked for, by a key of the rows. */
export async function sumsBy<F extends Figure>(
  db: Db,
  scope: Scope,
  { filter }: ScreenParams,
  { from, figures, when = sql<boolean>`true` }: Reading<F>,
  { key, by, limit }: Grouping,
): Promise<Map<string, Sums<F>>> {
  const rowsOf = sql`from ${sql.table(from)} where ${await statPlace(db, scope, filter, by)} and ${when}`
  const best = (order: Raw) => sql`order by ${order} desc, ${key}::text`
  // Where few of many are shown, they are found by the one figure first: the others are added up for these alone.
  const shown =
    limit === undefined
      ? sql`group by 1`
      : sql`and ${key} = any(array(select ${key} ${rowsOf} group by ${key} having ${limit.order} > 0 ${best(limit.order)} limit ${limit.count}))
        group by ${key} ${best(limit.order)}`
  const { rows } = await sql<Record<string, string>>`
    select ${key}::text as key, ${sumColumns(figures)} ${rowsOf} ${shown}`.execute(db)
  return new Map(rows.map((row) => [row['key'] ?? '', bigs(figures, row)]))
}

export async function sumsOf<F extends Figure>(db: Db, scope: Scope, asked: ScreenParams, reading: Reading<F>) {
  const found = await sumsBy(db, scope, asked, reading, { key: sql`''` })
  return found.get('') ?? bigs(reading.figures, undefined)
}

export const isDay = (day: string) => sql<boolean>`day = ${day}`
export const isMonth = (month: string) => sql<boolean>`month = ${month}`
/** Hours of a day of Shanghai, from midnight up to and without this one. */
export const hoursOf = (day: string, upto = 24) =>
  sql<boolean>`hour >= ${`${day}T00:00:00+08:00`}::timestamptz and hour < ${`${day}T00:00:00+08:00`}::timestamptz + make_interval(hours => ${upto}::int)`

/** Each hour of a day, with those in which nothing happened. */
export async function byHour<F extends Figure>(
  db: Db,
  scope: Scope,
  asked: ScreenParams,
  day: string,
  figures: readonly F[],
) {
  const key = sql`extract(hour from hour at time zone 'Asia/Shanghai')::int`
  const found = await sumsBy(db, scope, asked, { from: 'stat_hour_live', figures, when: hoursOf(day) }, { key })
  return Array.from({ length: 24 }, (_, hour) => ({
    hour,
    sums: found.get(String(hour)) ?? bigs(figures, undefined),
  }))
}
