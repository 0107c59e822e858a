import { applyScope, type Db } from './db.ts'
import { type Scope, wholeOrganise } from './scope.ts'

/**
 * An order at an agent's site is priced by rules that may be the organisation's, and paid by a member who may have come
 * through another agent. Whoever may act on the order acts with all of that in sight: `work` runs so, then the old scope
 * is put back. Ask only for an organisation that a row in the caller's own scope has named.
 */
export async function seeingWholeOrganise<T>(
  db: Db,
  scope: Scope,
  organiseId: string,
  work: (wider: Scope) => Promise<T>,
): Promise<T> {
  if (scope.level < 2) return work(scope)
  const wider = wholeOrganise(organiseId)
  await applyScope(db, wider)
  const done = await work(wider)
  await applyScope(db, scope)
  return done
}
