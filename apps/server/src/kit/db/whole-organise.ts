import { applyScope, type Db } from './db.ts'
import { type Scope, wholeOrganise } from './scope.ts'

/**
 * The price rules of an order at an agent's site may belong to the organisation, and its member to another agent. A caller
 * who may act on the order needs both. `work` runs in the scope of the whole organisation, then the old scope is restored.
 * Call it only for an organisation that a row in the caller's own scope names.
 */
export async function withWholeOrganiseScope<T>(
  db: Db,
  scope: Scope,
  organiseId: string,
  work: (wider: Scope) => Promise<T>,
): Promise<T> {
  if (scope.level < 2) return work(scope)
  const wider = wholeOrganise(organiseId)
  await applyScope(db, wider)
  const result = await work(wider)
  await applyScope(db, scope)
  return result
}
