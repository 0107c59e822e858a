import { applyScope, type Db } from '../db/db.ts'
import { orNotFound } from '../http/refusal.ts'
import { type Scope, withAgent } from '../db/scope.ts'

/**
 * A person's agents are listed when their request begins. Whoever makes another one below their own must see it at once,
 * to put its first account there: `work` runs with it in sight, then the old scope is put back. Row security shows the
 * new agent by its parent, so one that is not below the caller's is not there.
 */
export async function seeingNewAgent<T>(
  db: Db,
  scope: Scope,
  agentId: string,
  work: (wider: Scope) => Promise<T>,
): Promise<T> {
  orNotFound(await db.selectFrom('agent').select('id').where('id', '=', agentId).executeTakeFirst())
  const wider = withAgent(scope, agentId)
  await applyScope(db, wider)
  const done = await work(wider)
  await applyScope(db, scope)
  return done
}
