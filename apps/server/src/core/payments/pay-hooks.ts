import type { Db } from '../../kit/db/db.ts'
import type { Scope } from '../../kit/db/scope.ts'
import type { LockedPay } from './pay-order.store.ts'
import type { LockedRefund } from './pay-refund.store.ts'

/**
 * What a payment means to those who asked for it. Each is called in the transaction that moves the payment, with its row
 * locked: what it throws undoes the move, and the move is tried again.
 */
export type PaidHook = {
  /** The money has come: book it (channel −, somebody +) and go on with the order that wanted it. */
  paid: (db: Db, scope: Scope, pay: LockedPay) => Promise<void>
  /** Nobody will pay any more. */
  closed: (db: Db, pay: LockedPay) => Promise<void>
}

/**
 * What becomes of a refund. That it arrived is booked before (account `refundDue` −, channel +): who asks for a refund puts
 * the money into `refundDue` in the transaction that asks. `refused`: what was put aside of the payment is free again, and
 * whose money it was is the hook's to say. `abnormal`: it stays put aside, and a person must find another way.
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
  if (hook === undefined) throw new Error(`nobody has said what purpose ${purpose} means`)
  return hook
}
