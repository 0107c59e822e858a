import type { StatBy } from '@wattdeck/contract/order/statistics.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import type { Scope } from '../../kit/db/scope.ts'
import { beginOf, endOf, type Part } from './stat-compare.rules.ts'
import { bigs, type Figure, ownerColumn, type Sums, sumsOf } from './stat-page.store.ts'
import { plusDays } from './stat-periods.rules.ts'
import { type StatFilter, statPlace } from './stat-place.store.ts'

type Params<F> = { filter: StatFilter; part: Part; figures: readonly F[]; by?: StatBy; ids?: readonly string[] }

/** Sums over days whose last one may count for some hours only, by owner id, or under '' for the whole filter. */
export async function partSums<F extends Figure>(
  db: Db,
  scope: Scope,
  { filter, part, figures, by, ids = [] }: Params<F>,
): Promise<Map<string, Sums<F>>> {
  const owner = by === undefined ? sql`''` : sql`${sql.ref(ownerColumn[by])}::text`
  const mine = by === undefined ? sql`true` : sql`${sql.ref(ownerColumn[by])} = any(${ids}::bigint[])`
  const place = sql`${await statPlace(db, scope, filter, by)} and ${mine}`
  const columns = sql.join(figures.map((name) => sql.ref(name)))
  const lastFull = part.hours === null ? part.to : plusDays(part.to, -1)
  const { rows } = await sql<Record<string, string>>`
    select owner, ${sumsOf(figures)} from (
      select ${owner} as owner, ${columns} from stat_day_live where ${place} and day between ${part.from} and ${lastFull}
      union all
      select ${owner}, ${columns} from stat_hour_live
      where ${place} and ${part.hours !== null}::boolean and hour >= ${beginOf(part.to)}::timestamptz and hour < ${endOf(part)}::timestamptz
    ) parts group by 1`.execute(db)
  return new Map(rows.map((row) => [row['owner'] ?? '', bigs(figures, row)]))
}
