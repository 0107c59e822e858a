import { defaultOrganiseId } from '@wattdeck/domain/roles.ts'
import type { Actor } from '../../../kit/auth/actor.ts'
import { forbidden } from '../../../kit/http/refusal.ts'
import type { Place } from '../../_shared/place.store.ts'

export const topLevelOf = (organiseId: string, userType: number) =>
  organiseId === defaultOrganiseId ? 1 : userType + 1

/** The highest standing that people at a place have. */
export const lowestTypeAt = ({ agent_id, site_id }: Place) => (site_id === null ? (agent_id === null ? 1 : 2) : 3)

export const mayMake = (actor: Actor, organiseId: string, userType: number): boolean =>
  userType >= actor.userType && topLevelOf(organiseId, userType) >= actor.roleTopLevel

export function assertMayMake(actor: Actor, organiseId: string, userType: number): void {
  if (!mayMake(actor, organiseId, userType)) throw forbidden()
}
