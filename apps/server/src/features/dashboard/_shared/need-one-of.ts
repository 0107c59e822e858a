import type { Ctx } from '../../../kit/http/handlers.ts'
import { forbidden } from '../../../kit/http/refusal.ts'

/** A card or panel says nothing that its reader could not read on a page of its own. */
export function needOneOf({ actor }: Pick<Ctx<never>, 'actor'>, menus: readonly string[]): void {
  if (!menus.some((key) => actor.menuKeys.includes(key))) throw forbidden()
}
