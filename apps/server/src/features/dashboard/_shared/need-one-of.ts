import type { Ctx } from '../../../kit/http/handlers.ts'
import { forbidden } from '../../../kit/http/refusal.ts'

/** A card or panel shows only data that its reader can also open on a page. */
export function needOneOf({ actor }: Pick<Ctx<never>, 'actor'>, menus: readonly string[]): void {
  if (!menus.some((key) => actor.menuKeys.includes(key))) throw forbidden()
}
