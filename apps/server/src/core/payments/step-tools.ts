import type { Db } from '../../kit/db/db.ts'
import type { Scope } from '../../kit/db/scope.ts'
import type { OpenMerchant } from './merchants.ts'
import type { PayHooks } from './pay-hooks.ts'

/** A short transaction of its own, with the system's eyes. */
export type InTransaction = <T>(work: (db: Db, scope: Scope) => Promise<T>) => Promise<T>

export type StepTools = { merchant: OpenMerchant; hooks: PayHooks; within: InTransaction }

/** Later and later, so that a provider that is in trouble is not asked more often than one that is well. */
export const pauseOf = (pauses: readonly number[], looks: number): number =>
  pauses[Math.min(Math.max(looks - 1, 0), pauses.length - 1)] ?? 60
