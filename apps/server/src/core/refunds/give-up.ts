import { payRefundStatus } from '@wattdeck/contract/accounting/pay-codes.ts'
import type { Db } from '../../kit/db/db.ts'
import { type LockedRefund, lockRefund, shiftRefunded, writeRefund } from '../payments/pay-refund.store.ts'

/**
 * A person has seen at the provider that this refund will never arrive. From now on it is over, whatever the provider
 * says of it later, and what was put aside of the payment is free for another attempt. Undefined where it is not stuck
 * any more: it may have arrived in this moment.
 */
export async function giveUpRefund(db: Db, id: string, by: string): Promise<LockedRefund | undefined> {
  const { abnormal, refused } = payRefundStatus.code
  const refund = await lockRefund(db, id)
  if (refund?.status !== abnormal) return undefined
  await writeRefund(db, id, { status: refused, refundId: null, words: `${by}确认未到账`, nextS: null })
  await shiftRefunded(db, refund.payOrderId, -refund.amountFen)
  return refund
}
