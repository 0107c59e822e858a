import { defaultOrganiseId } from '@wattdeck/domain/roles.ts'
import type { Actor } from '../../../kit/auth/actor.ts'
import { forbidden } from '../../../kit/http/refusal.ts'
import type { Place } from '../../_shared/place.store.ts'

export const topLevelOf = (organiseId: string, userType: number) =>
  organiseId === defaultOrganiseId ? 1 : userType + 1

/** The highest standing of users at a place. */
export const lowestTypeAt = ({ agent_id, site_id }: Place) => (site_id === null ? (agent_id === null ? 1 : 2) : 3)

export const mayCreateRole = (actor: Actor, organiseId: string, userType: number): boolean =>
  userType >= actor.userType && topLevelOf(organiseId, userType) >= actor.roleTopLevel

export function assertMayCreateRole(actor: Actor, organiseId: string, userType: number): void {
  if (!mayCreateRole(actor, organiseId, userType)) throw forbidden()
}
