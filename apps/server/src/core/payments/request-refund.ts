import type { Db } from '../../kit/db/db.ts'
import { conflict, orNotFound } from '../../kit/http/refusal.ts'
import { lockPay } from './pay-order.store.ts'
import { addRefund, shiftRefunded } from './pay-refund.store.ts'
import { storedPay } from './stored-status.ts'

/** `refId`: the refund request; for a late payment or a test, the payment itself. */
export type RefundParams = { payOrderId: string; fen: bigint; purpose: number; refId: string; reason: string }

/**
 * Creates a refund to the original payer in the caller's transaction (outbox); a worker sends it after the commit. The
 * caller posts the same amount to the account `refundDue`, which is cleared when the refund arrives. Refunds of a payment
 * never exceed its amount: the row is locked, and a table constraint enforces it.
 */
export async function requestRefund(db: Db, params: RefundParams): Promise<string> {
  const pay = orNotFound(await lockPay(db, params.payOrderId))
  if (pay.status !== storedPay.number.paid) throw conflict('该支付单未支付，不能退款')
  if (params.fen > pay.amountFen - pay.refundedFen) throw conflict('退款金额超过可退金额')
  await shiftRefunded(db, pay.id, params.fen)
  const { organiseId, agentId, siteId, merchantId } = pay
  return addRefund(db, { ...params, place: { organiseId, agentId, siteId }, merchantId })
}
