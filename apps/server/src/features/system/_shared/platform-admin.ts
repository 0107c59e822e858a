import { isAdmin } from '@wattdeck/domain/roles.ts'
import type { Actor } from '../../../kit/auth/actor.ts'
import { forbidden } from '../../../kit/http/refusal.ts'

export const isPlatformAdmin = (actor: Actor): boolean => actor.scope.level === 0 && isAdmin(actor)

/** What all organisations share is changed by the platform's administrators only, whatever a role of another may say. */
export function assertPlatformAdmin(actor: Actor): void {
  if (!isPlatformAdmin(actor)) throw forbidden()
}
