import { statBy, type StatBy, statSpan } from '@wattdeck/contract/order/statistics.ts'
import { type RawBuilder, sql } from 'kysely'
import type { StatDayLive, StatNowLive } from '../../kit/db/db.gen.ts'
import type { Db } from '../../kit/db/db.ts'
import type { Paging } from '../../kit/db/paging.ts'
import { planByValues } from '../../kit/db/paging.ts'
import { invalid } from '../../kit/http/refusal.ts'
import type { Scope } from '../../kit/db/scope.ts'
import { countOwners, type Owner, readOwners } from './stat-owners.store.ts'
import { type Period, periodsOf } from './stat-periods.rules.ts'
import { type StatFilter, statPlace } from './stat-place.store.ts'

type Place = 'kind' | 'organise_id' | 'agent_id' | 'site_id' | 'district' | 'device_type_id'
export type Figure = Exclude<keyof StatDayLive, Place | 'day'>
export type NowFigure = Exclude<keyof StatNowLive, Place>
type StatParams = StatFilter & {
  span?: 1 | 2 | undefined
  by?: StatBy | undefined
  from?: string | undefined
  to?: string | undefined
}
export type Sums<F extends string> = Record<F, bigint>
type StatCell<F extends string> = { period: Period; owner: Owner | undefined; sums: Sums<F> }

export const ownerColumn = {
  [statBy.code.organise]: 'organise_id',
  [statBy.code.agent]: 'agent_id',
  [statBy.code.site]: 'site_id',
} as const

/** Rejects grouping above the chosen or permitted level. Agents and sites need a chosen organisation. */
export function checkBy(scope: Scope, { by, organiseId, agentId, siteId }: StatParams): void {
  if (by === undefined) return
  const level = { [statBy.code.organise]: 0, [statBy.code.agent]: 1, [statBy.code.site]: 2 }[by]
  if (scope.level > level + 1) throw invalid('您不能按此归属统计', 'by')
  const chosen = siteId !== undefined ? 2 : agentId !== undefined ? 1 : 0
  if (chosen > level) throw invalid('归属维度不能大于所选归属', 'by')
  if (scope.level === 0 && level > 0 && organiseId === undefined) throw invalid('请先选择机构', 'organiseId')
}

export const sumsOf = (figures: readonly string[]) =>
  sql.join(figures.map((name) => sql`coalesce(sum(${sql.ref(name)}), 0)::text as ${sql.ref(name)}`))
export const bigs = <F extends string>(figures: readonly F[], row: Record<string, string> | undefined) =>
  Object.fromEntries(figures.map((name) => [name, BigInt(row?.[name] ?? 0)])) as Sums<F>

/** The rows of a page within one period: owners from index `from` up to `upto` (exclusive). */
type Slice = { period: Period; from: number; upto: number }
function slicesOf(periods: readonly Period[], owners: number, first: number, last: number): Slice[] {
  if (owners === 0) return []
  return periods.slice(Math.floor(first / owners), Math.ceil(last / owners)).map((period, place) => {
    const start = (Math.floor(first / owners) + place) * owners
    return { period, from: Math.max(0, first - start), upto: Math.min(owners, last - start) }
  })
}

/**
 * A page of figures: every period, latest first, with every owner in each period, also without any figures. So the start
 * of a page is computed without reading earlier rows, and a site without charges is listed.
 */
export async function statPage<F extends Figure>(
  db: Db,
  scope: Scope,
  params: StatParams & Paging,
  figures: readonly F[],
) {
  checkBy(scope, params)
  const periods = periodsOf(params, Date.now())
  const all = { from: periods.at(-1)?.from ?? '', to: periods[0]?.to ?? '' }
  await planByValues(db)
  const owners = params.by === undefined ? 1 : await countOwners(db, scope, { ...params, by: params.by }, all)
  const total = periods.length * owners
  const first = (params.pageNum - 1) * params.pageSize
  const slices = slicesOf(periods, owners, Math.min(first, total), Math.min(first + params.pageSize, total))
  const cells = await cellsOf(db, scope, params, { slices, all, figures })
  return {
    total: params.skipCount === true ? null : total,
    bounded: false,
    cursor: first + params.pageSize < total ? cursorOf(params.pageNum + 1) : null,
    cells,
  }
}

/** The cursor contains only the page number. */
export const cursorOf = (page: number) => Buffer.from(JSON.stringify([page])).toString('base64url')

type Reading<F> = { slices: readonly Slice[]; all: { from: string; to: string }; figures: readonly F[] }

async function cellsOf<F extends Figure>(
  db: Db,
  scope: Scope,
  params: StatParams,
  { slices, all, figures }: Reading<F>,
): Promise<StatCell<F>[]> {
  const [from, to] = [slices.at(-1)?.period.from, slices[0]?.period.to]
  if (from === undefined || to === undefined) return []
  const { by } = params
  const ownerCache = new Map<string, Promise<readonly (Owner | undefined)[]>>()
  const ownersOf = ({ from: skip, upto }: Slice) => {
    const key = `${skip}-${upto}`
    const owners =
      ownerCache.get(key) ??
      (by === undefined
        ? Promise.resolve([undefined])
        : readOwners(db, scope, { ...params, by }, { ...all, skip, limit: upto - skip }))
    ownerCache.set(key, owners)
    return owners
  }
  const rows = await Promise.all(slices.map(async (slice) => ({ period: slice.period, owners: await ownersOf(slice) })))
  const ids = [...new Set(rows.flatMap(({ owners }) => owners.flatMap((owner) => owner?.id ?? [])))]
  const days = sql<boolean>`day between ${from} and ${to}`
  const read = await readSums(db, scope, { params, ids, where: days, figures })
  return rows.flatMap(({ period, owners }) =>
    owners.map((owner) => ({ period, owner, sums: bigs(figures, read.get(`${period.name} ${owner?.id ?? ''}`)) })),
  )
}

type Params = { params: StatParams; ids: readonly string[]; where: RawBuilder<boolean>; figures: readonly string[] }

/** Sums by '<period name> <owner id>'. */
async function readSums(db: Db, scope: Scope, { params, ids, where, figures }: Params) {
  const { by, span } = params
  const period = span === statSpan.code.month ? sql`to_char(day, 'YYYY-MM')` : sql`day::text`
  const owner = by === undefined ? sql`''` : sql`${sql.ref(ownerColumn[by])}::text`
  const mine = by === undefined ? sql<boolean>`true` : sql<boolean>`${sql.ref(ownerColumn[by])} = any(${ids}::bigint[])`
  const { rows } = await sql<Record<string, string>>`
    select ${period} as period, ${owner} as owner, ${sumsOf(figures)} from stat_day_live
    where ${await statPlace(db, scope, params, by)} and ${mine} and ${where} group by 1, 2`.execute(db)
  return new Map(rows.map((row) => [`${row['period']} ${row['owner']}`, row]))
}

/** Totals of the whole filter, with its days. */
export async function statTotals<F extends Figure>(db: Db, scope: Scope, params: StatParams, figures: readonly F[]) {
  const periods = periodsOf(params, Date.now())
  const days = { from: periods.at(-1)?.from ?? '', to: periods[0]?.to ?? '' }
  const { rows } = await sql<Record<string, string>>`
    select ${sumsOf(figures)} from stat_day_live
    where ${await statPlace(db, scope, params)} and day between ${days.from} and ${days.to}`.execute(db)
  return { days, sums: bigs(figures, rows[0]) }
}

/** Current figures by owner id, or under '' for the whole filter. */
export async function statNow<F extends NowFigure>(
  db: Db,
  scope: Scope,
  params: StatParams,
  figures: readonly F[],
  ids: readonly string[] = [],
): Promise<Map<string, Sums<F>>> {
  const { by } = params
  const owner = by === undefined ? sql`''` : sql`${sql.ref(ownerColumn[by])}::text`
  const mine = by === undefined ? sql<boolean>`true` : sql<boolean>`${sql.ref(ownerColumn[by])} = any(${ids}::bigint[])`
  const { rows } = await sql<Record<string, string>>`
    select ${owner} as owner, ${sumsOf(figures)} from stat_now_live
    where ${await statPlace(db, scope, params, by)} and ${mine} group by 1`.execute(db)
  return new Map(rows.map((row) => [row['owner'] ?? '', bigs(figures, row)]))
}
