import { payRefundStatus } from '@wattdeck/contract/accounting/pay-codes.ts'
import type { Db } from '../../kit/db/db.ts'
import { type LockedRefund, lockRefund, shiftRefunded, writeRefund } from '../payments/pay-refund.store.ts'

/**
 * Ends a refund that staff found undeliverable at the provider. Later reports of the provider no longer change it, and the
 * amount of the payment can be refunded again. Undefined if the refund is not stuck any more; it may have just arrived.
 */
export async function giveUpRefund(db: Db, id: string, by: string): Promise<LockedRefund | undefined> {
  const { abnormal, refused } = payRefundStatus.code
  const refund = await lockRefund(db, id)
  if (refund?.status !== abnormal) return undefined
  await writeRefund(db, id, { status: refused, refundId: null, words: `${by}确认未到账`, nextS: null })
  await shiftRefunded(db, refund.payOrderId, -refund.amountFen)
  return refund
}
