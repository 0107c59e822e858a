import type { Db } from '../../kit/db/db.ts'
import type { Scope } from '../../kit/db/scope.ts'
import type { LockedPay } from './pay-order.store.ts'
import type { LockedRefund } from './pay-refund.store.ts'

/**
 * Callbacks for the purpose of a payment. Each runs in the transaction that changes the payment, with its row locked. If
 * it throws, the transaction rolls back and the change is retried.
 */
export type PaidHook = {
  /** The payment succeeded: post the money (channel −, payee +) and continue the order. */
  paid: (db: Db, scope: Scope, pay: LockedPay) => Promise<void>
  /** The payment was closed unpaid. */
  closed: (db: Db, pay: LockedPay) => Promise<void>
}

/**
 * Callbacks for the result of a refund. The caller of a refund posts the money to `refundDue`; on arrival it is posted on
 * (`refundDue` −, channel +) before the hook runs. `refused`: the payment can be refunded again, and the hook returns the
 * money to its owner. `abnormal`: the money stays in `refundDue`, and staff must resolve the refund.
 */
export type RefundHook = {
  arrived: (db: Db, scope: Scope, refund: LockedRefund) => Promise<void>
  refused: (db: Db, scope: Scope, refund: LockedRefund, words: string) => Promise<void>
  abnormal: (db: Db, scope: Scope, refund: LockedRefund, words: string) => Promise<void>
}

/** By purpose, as codes of `payPurpose` and `payRefundPurpose`. */
export type PayHooks = { pay: ReadonlyMap<number, PaidHook>; refund: ReadonlyMap<number, RefundHook> }

export function hookOf<T>(hooks: ReadonlyMap<number, T>, purpose: number): T {
  const hook = hooks.get(purpose)
  if (hook === undefined) throw new Error(`no hook for purpose ${purpose}`)
  return hook
}
