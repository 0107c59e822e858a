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
 * Where a new row goes: to its maker, unless they have chosen another place inside their scope. Whatever is chosen must
 * fit together, and what the caller does not see is not there. A row of a site belongs to the agent of that site, who
 * may stand below the agent that was chosen.
 */
export async function chosenPlace(db: Db, actor: Actor, choice: Choice): Promise<Place> {
  if (standsIn(actor, choice)) return placeOf(actor)
  const place = await placeAt(db, choice)
  if (place === undefined || (choice.organiseId ?? place.organise_id) !== place.organise_id) throw notFound()
  if (place.organise_id !== actor.organiseId && !canSelectOrganise(actor)) throw notFound()
  return place
}

/** Naming one's own organisation, agent or site, or nothing, means the place where one stands. */
const standsIn = (actor: Actor, { organiseId, agentId, siteId }: Choice) =>
  (organiseId ?? actor.organiseId) === actor.organiseId &&
  (agentId ?? actor.agentId) === actor.agentId &&
  (siteId ?? actor.siteId) === actor.siteId

/** Row security decides whether it is there. */
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
