import { placeOf } from '../../../kit/auth/actor.ts'
import type { Ctx } from '../../../kit/http/handlers.ts'
import { publishToOrganisation } from '../../../kit/events/outbox.ts'
import { conflict } from '../../../kit/http/refusal.ts'

/** Open lists of the catalogue read themselves again. */
export const tellChanged = ({ db, actor }: Pick<Ctx<never>, 'db' | 'actor'>, list: string) =>
  publishToOrganisation(db, placeOf(actor), { kind: 'changed', list })

/** What something else stands on is not removed; how much stands on it is said. */
export function assertUnused(what: string, uses: Record<string, number>): void {
  const used = Object.entries(uses).filter(([, count]) => count > 0)
  if (used.length === 0) return
  const told = used.map(([kind, count]) => `${count} 个${kind}`).join('、')
  throw conflict(`${what}正被 ${told}使用，不能删除`)
}
