import type { Db } from '../../kit/db/db.ts'
import type { Scope } from '../../kit/db/scope.ts'
import type { OpenMerchant } from './merchants.ts'
import type { PayHooks } from './pay-hooks.ts'

/** Runs work in a separate short transaction with the system scope. */
export type InTransaction = <T>(work: (db: Db, scope: Scope) => Promise<T>) => Promise<T>

export type StepTools = { merchant: OpenMerchant; hooks: PayHooks; within: InTransaction }

/** Back-off in seconds, so that a failing provider does not receive more requests than a healthy one. */
export const pauseOf = (pauses: readonly number[], looks: number): number =>
  pauses[Math.min(Math.max(looks - 1, 0), pauses.length - 1)] ?? 60
