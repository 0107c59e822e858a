import type { Db } from '../../kit/db/db.ts'
import { conflict, orNotFound } from '../../kit/http/refusal.ts'
import { lockPay } from './pay-order.store.ts'
import { addRefund, shiftRefunded } from './pay-refund.store.ts'
import { storedPay } from './stored-status.ts'

/** `refId`: the request that wants it; of a late payment and of a test the payment itself. */
export type RefundWish = { payOrderId: string; fen: bigint; purpose: number; refId: string; reason: string }

/**
 * Sends money back by the way it came, in the caller's transaction; a worker tells the provider after it. Who calls this
 * has put the same amount into the account `refundDue`, whence it leaves when it has arrived. Of a payment no more goes
 * back than was paid, whoever asks at the same time: its row is locked, and the table refuses it.
 */
export async function askRefund(db: Db, wish: RefundWish): Promise<string> {
  const pay = orNotFound(await lockPay(db, wish.payOrderId))
  if (pay.status !== storedPay.number.paid) throw conflict('该支付单未支付，不能退款')
  if (wish.fen > pay.amountFen - pay.refundedFen) throw conflict('退款金额超过可退金额')
  await shiftRefunded(db, pay.id, wish.fen)
  const { organiseId, agentId, siteId, merchantId } = pay
  return addRefund(db, { ...wish, place: { organiseId, agentId, siteId }, merchantId })
}
