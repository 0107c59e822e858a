import { isAdmin } from '@wattdeck/domain/roles.ts'
import type { Actor } from '../kit/actor.ts'
import { forbidden } from '../kit/refusal.ts'

/** What all organisations share is changed by the platform's administrators only, whatever a role of another may say. */
export function assertPlatformAdmin(actor: Actor): void {
  if (actor.scope.level !== 0 || !isAdmin(actor)) throw forbidden()
}
