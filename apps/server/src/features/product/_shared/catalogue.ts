import { placeOf } from '../../../kit/auth/actor.ts'
import type { Ctx } from '../../../kit/http/handlers.ts'
import { publishToOrganisation } from '../../../kit/events/outbox.ts'
import { conflict } from '../../../kit/http/refusal.ts'

/** Refreshes open lists of the catalogue. */
export const publishCatalogueChange = ({ db, actor }: Pick<Ctx<never>, 'db' | 'actor'>, list: string) =>
  publishToOrganisation(db, placeOf(actor), { kind: 'changed', list })

/** Refuses to remove a row that others use, and reports how many use it. */
export function assertUnused(what: string, uses: Record<string, number>): void {
  const used = Object.entries(uses).filter(([, count]) => count > 0)
  if (used.length === 0) return
  const usage = used.map(([kind, count]) => `${count} 个${kind}`).join('、')
  throw conflict(`${what}正被 ${usage}使用，不能删除`)
}
