import type { Figure } from '@wattdeck/contract/dashboard/work-table.ts'
import type { Db } from '../../kit/db/db.ts'
import type { Scope } from '../../kit/db/scope.ts'
import { comparedAt, happenedFigures, shownAs } from './period-figures.rules.ts'
import { statMoments } from './stat-moments.store.ts'
import type { StatFilter } from './stat-place.store.ts'

type Params = StatFilter & { span?: 1 | 2 | undefined }
/** Empty values of the optional parts of a figure. */
export const nothingElse = { of: null, parts: [], compared: null, days: null, whose: null } satisfies Partial<Figure>

/** A figure of the current day or month, compared with the same part of the previous one. */
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
  // Each function reads only the columns of its own figure.
  const format = (sums: unknown) => value(sums as Parameters<typeof value>[0])
  return {
    ...nothingElse,
    value: format(all),
    parts: parts(all as Parameters<typeof parts>[0]),
    days: whole.days,
    compared: soFar === undefined ? null : { upto: soFar.upto, now: format(now), before: format(before) },
  }
}
