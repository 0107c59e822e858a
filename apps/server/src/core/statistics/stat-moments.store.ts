import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import { planByValues } from '../../kit/db/paging.ts'
import type { Scope } from '../../kit/db/scope.ts'
import { bigs, type Figure, type Sums, sumsOf } from './stat-page.store.ts'
import { type StatFilter, statPlace } from './stat-place.store.ts'

/** Whole days, both inclusive, and hours with an exclusive end. Hours are moments: 'YYYY-MM-DDTHH:00:00+08:00'. */
export type Moments = {
  days?: { from: string; to: string }
  hours?: { from: string; upto: string }
}

/** Sums of each of these times. Whole days are read from daily rows, so that a month costs no more than its days. */
export async function statMoments<F extends Figure>(
  db: Db,
  scope: Scope,
  filter: StatFilter,
  figures: readonly F[],
  times: readonly Moments[],
): Promise<Sums<F>[]> {
  await planByValues(db)
  const place = await statPlace(db, scope, filter)
  const read = async (from: RawBuilder<unknown>) => {
    const { rows } = await sql<Record<string, string>>`select ${sumsOf(figures)} from ${from}`.execute(db)
    return bigs(figures, rows[0])
  }
  const inDays = ({ from, to }: { from: string; to: string }) =>
    read(sql`stat_day_live where ${place} and day between ${from} and ${to}`)
  const inHours = ({ from, upto }: { from: string; upto: string }) =>
    read(sql`stat_hour_live where ${place} and hour >= ${from}::timestamptz and hour < ${upto}::timestamptz`)
  return Promise.all(
    times.map(async ({ days, hours }) => {
      const parts = await Promise.all([
        ...(days === undefined ? [] : [inDays(days)]),
        ...(hours === undefined ? [] : [inHours(hours)]),
      ])
      const sum = (name: F) => parts.reduce((all, part) => all + part[name], 0n)
      return Object.fromEntries(figures.map((name) => [name, sum(name)])) as Sums<F>
    }),
  )
}
