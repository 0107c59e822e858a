import { canSelectOrganise } from '@wattdeck/domain/roles.ts'
import { sql } from 'kysely'
import { type Actor, placeOf } from '../../kit/auth/actor.ts'
import type { Db } from '../../kit/db/db.ts'
import { agentsBelow } from '../../kit/db/ownership.ts'
import { notFound } from '../../kit/http/refusal.ts'
import { rowExists } from '../../kit/db/rows.ts'

export type Place = { organise_id: string; agent_id: string | null; site_id: string | null }
type Choice = { organiseId?: string | undefined; agentId?: string | undefined; siteId?: string | undefined }

export const organiseExists = (db: Db, id: string) => rowExists(db, 'organise', { id, deleted_at: null })

/**
 * Resolves the place of a new row: the place of its creator, or another place within their scope. The chosen ids must
 * be consistent; an id that the caller cannot see is reported as not found. A row at a site belongs to the agent of the
 * site, which may be below the chosen agent.
 */
export async function chosenPlace(db: Db, actor: Actor, choice: Choice): Promise<Place> {
  if (standsIn(actor, choice)) return placeOf(actor)
  const place = await placeAt(db, choice)
  if (place === undefined || (choice.organiseId ?? place.organise_id) !== place.organise_id) throw notFound()
  if (place.organise_id !== actor.organiseId && !canSelectOrganise(actor)) throw notFound()
  return place
}

/** No choice, or the choice of the caller's own organisation, agent or site, means the caller's own place. */
const standsIn = (actor: Actor, { organiseId, agentId, siteId }: Choice) =>
  (organiseId ?? actor.organiseId) === actor.organiseId &&
  (agentId ?? actor.agentId) === actor.agentId &&
  (siteId ?? actor.siteId) === actor.siteId

/** Row-level security decides which rows exist for the caller. */
async function placeAt(db: Db, { organiseId, agentId, siteId }: Choice): Promise<Place | undefined> {
  if (siteId !== undefined)
    return db
      .selectFrom('site')
      .select(['organise_id', 'agent_id', 'id as site_id'])
      .where('id', '=', siteId)
      .where('deleted_at', 'is', null)
      .$if(agentId !== undefined, (query) => query.where('agent_id', '=', sql<string>`${agentsBelow(agentId ?? '')}`))
      .executeTakeFirst()
  if (agentId !== undefined)
    return db
      .selectFrom('agent')
      .select(['organise_id', 'id as agent_id', sql<null>`null`.as('site_id')])
      .where('id', '=', agentId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
  if (organiseId === undefined || !(await organiseExists(db, organiseId))) return undefined
  return { organise_id: organiseId, agent_id: null, site_id: null }
}
