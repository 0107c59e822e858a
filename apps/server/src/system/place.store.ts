import { canSelectOrganise } from '@wattdeck/domain/roles.ts'
import { type Actor, placeOf } from '../kit/actor.ts'
import type { Db } from '../kit/db.ts'
import { notFound } from '../kit/refusal.ts'
import type { Scope } from '../kit/scope.ts'

export type Place = { organise_id: string; agent_id: string | null; site_id: string | null }

export async function organiseExists(db: Db, _scope: Scope, id: string): Promise<boolean> {
  const found = await db.selectFrom('organise').select('id').where('id', '=', id).executeTakeFirst()
  return found !== undefined
}

/** Where a new row goes: to its maker, unless they may select an organisation and have selected another one. */
export async function chosenPlace(db: Db, scope: Scope, actor: Actor, organiseId = actor.organiseId): Promise<Place> {
  if (organiseId === actor.organiseId) return placeOf(actor)
  if (!canSelectOrganise(actor) || !(await organiseExists(db, scope, organiseId))) throw notFound()
  return { organise_id: organiseId, agent_id: null, site_id: null }
}
