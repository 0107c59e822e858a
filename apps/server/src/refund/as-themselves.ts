import type { Ctx } from '../kit/handlers.ts'
import { forbidden } from '../kit/refusal.ts'

/** Whoever works in another's name could ask as one person and decide as the other. */
export function asThemselves({ actor }: Pick<Ctx<never>, 'actor'>): void {
  if (actor.actedBy !== null) throw forbidden()
}

export const alreadySettled = '该退款单已处理，请刷新后重试'
