import { isAdmin } from '@wattdeck/domain/roles.ts'
import type { Actor } from '../../../kit/auth/actor.ts'
import { forbidden } from '../../../kit/http/refusal.ts'

export const isPlatformAdmin = (actor: Actor): boolean => actor.scope.level === 0 && isAdmin(actor)

/** Only administrators of the platform change data that all organisations share, whatever another role grants. */
export function assertPlatformAdmin(actor: Actor): void {
  if (!isPlatformAdmin(actor)) throw forbidden()
}
