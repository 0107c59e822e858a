import type { Figure } from '@wattdeck/contract/dashboard/work-table.ts'
import type { Db } from '../../kit/db/db.ts'
import type { Scope } from '../../kit/db/scope.ts'
import { comparedAt, happenedFigures, shownAs } from './period-figures.rules.ts'
import { statMoments } from './stat-moments.store.ts'
import type { StatFilter } from './stat-place.store.ts'

type Params = StatFilter & { span?: 1 | 2 | undefined }
/** The parts of a figure that not every figure has. */
export const nothingElse = { of: null, parts: [], compared: null, days: null, whose: null } satisfies Partial<Figure>

/** What happens, by day or month, and the same part of the one before. */
export async function readPeriodFigure(
  db: Db,
  scope: Scope,
  name: keyof typeof happenedFigures,
  { span, ...owner }: Params,
): Promise<Figure> {
  const { whole, soFar } = comparedAt(span, Date.now())
  const times = [whole, ...(soFar === undefined ? [] : [soFar.now, soFar.before])]
  const [all, now, before] = await statMoments(db, scope, owner, happenedFigures[name], times)
  const { value, parts } = shownAs[name]
  // Each of them reads only its own.
  const shown = (sums: unknown) => value(sums as Parameters<typeof value>[0])
  return {
    ...nothingElse,
    value: shown(all),
    parts: parts(all as Parameters<typeof parts>[0]),
    days: whole.days,
    compared: soFar === undefined ? null : { upto: soFar.upto, now: shown(now), before: shown(before) },
  }
}
