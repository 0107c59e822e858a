import { applyScope, type Db } from '../db/db.ts'
import { orNotFound } from '../http/refusal.ts'
import { type Scope, withAgent } from '../db/scope.ts'

/**
 * The scope of a request lists the caller's agents at its start. A caller who creates an agent must see it at once, to
 * create its first account. `work` therefore runs in the wider scope, and the old scope is restored afterwards. Row-level
 * security selects the new agent by its parent, so an agent outside the caller's tree is not found.
 */
export async function withNewAgentScope<T>(
  db: Db,
  scope: Scope,
  agentId: string,
  work: (wider: Scope) => Promise<T>,
): Promise<T> {
  orNotFound(await db.selectFrom('agent').select('id').where('id', '=', agentId).executeTakeFirst())
  const wider = withAgent(scope, agentId)
  await applyScope(db, wider)
  const result = await work(wider)
  await applyScope(db, scope)
  return result
}
