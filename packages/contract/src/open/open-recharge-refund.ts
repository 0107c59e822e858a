import { z } from 'zod'
import { refundStep } from '../order/refund-codes.ts'
import { get, post } from '../kit/route.ts'
import { id, money, row, text, time, yuan } from '../kit/wire.ts'

export type OpenRechargeRefund = z.infer<typeof OpenRechargeRefund>
export const OpenRechargeRefund = row({
  refundNo: z.string(),
  rechargeNo: z.string(),
  memberId: z.string(),
  amount: money.describe('deducted from the recharged money of the wallet'),
  gift: money.describe('gift money taken back'),
  giftSpent: money.describe('spent part of the gift, deducted from the payout'),
  payout: money.describe('paid back to the payer'),
  status: refundStep.schema,
  decision: z.string().nullable().describe('reason for the rejection'),
  createdAt: time,
  finishedAt: time.nullable(),
})

/** A member requests a refund of a recharge. Two people of the operator decide. */
export const openRechargeRefund = {
  add: post('/open/api/rechargeRefund', {
    access: 'signed',
    audit: 'none',
    idempotent: true,
    body: row({ memberId: id, rechargeNo: id, amount: yuan, reason: text(200, '退款原因') }),
    data: row({ refundNo: z.string() }),
  }),
  read: get('/open/api/rechargeRefund', { access: 'signed', query: row({ refundNo: id }), data: OpenRechargeRefund }),
  cancel: post('/open/api/rechargeRefund/cancel', {
    access: 'signed',
    audit: 'none',
    idempotent: true,
    body: row({ refundNo: id }),
    data: row({ refundNo: z.string() }),
  }),
}
