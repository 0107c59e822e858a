import { z } from 'zod'
import { refundStep } from '../order/refund-codes.ts'
import { get, post } from '../kit/route.ts'
import { id, money, row, text, time, yuan } from '../kit/wire.ts'

export type OpenRechargeRefund = z.infer<typeof OpenRechargeRefund>
export const OpenRechargeRefund = row({
  refundNo: z.string(),
  rechargeNo: z.string(),
  memberId: z.string(),
  amount: money.describe('what leaves the wallet'),
  gift: money.describe('taken back of the gift'),
  giftSpent: money.describe('of the gift what is spent already, taken off the payout'),
  payout: money.describe('what the payer gets back'),
  status: refundStep.schema,
  decision: z.string().nullable().describe('why it was declined'),
  createdAt: time,
  finishedAt: time.nullable(),
})

/** A member asks for the money of a recharge back. Two people of the operator decide. */
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
