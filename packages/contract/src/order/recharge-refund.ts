import { z } from 'zod'
import { payProvider } from '../accounting/pay-codes.ts'
import { exportList } from '../kit/bulk.ts'
import { page, PageQuery } from '../kit/page.ts'
import { personal } from '../kit/personal.ts'
import { done, get, post } from '../kit/route.ts'
import { date, id, money, phone, row, text, time, yuan } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { ownerIds, ownerNames } from '../system/ownership.ts'
import { refundStep } from './refund-codes.ts'

/** Who did which step; nobody does two of them. */
export const stepFields = {
  createdBy: z.string(),
  createdAt: time,
  auditedBy: z.string().nullable(),
  auditedAt: time.nullable(),
  approvedBy: z.string().nullable(),
  approvedAt: time.nullable(),
  decision: z.string().nullable().describe('why it was declined'),
  finishedAt: time.nullable(),
  own: z.boolean().describe('asked for by the reader'),
  acted: z.boolean().describe('the reader has done a step of it and can do no other'),
}

export type RechargeRefund = z.infer<typeof RechargeRefund>
export const RechargeRefund = row({
  id: z.string().describe('the number that people see; it holds the moment it was asked for'),
  rechargeNo: z.string(),
  memberId: z.string(),
  memberName: personal('name').nullable(),
  memberPhone: personal('phone').nullable(),
  ...ownerNames,
  provider: payProvider.schema,
  recharged: money.describe('what was paid'),
  amount: money.describe('what leaves the wallet'),
  gift: money.describe('taken back of the gift, from the gift wallet'),
  giftSpent: money.describe('of the gift what is spent already, taken off the payout'),
  payout: money.describe('what the payer gets back'),
  reason: z.string(),
  status: refundStep.schema,
  providerNo: z.string().nullable(),
  words: z.string().nullable().describe('what the provider last said'),
  stuck: z.boolean().describe('the provider cannot do it; a person has to see to it'),
  ...stepFields,
})

export const rechargeRefundColumns = {
  id: '退款单号',
  status: '状态',
  rechargeNo: '充值单号',
  memberName: '用户',
  memberPhone: '手机号',
  recharged: '充值金额',
  amount: '申请金额',
  gift: '扣赠送',
  giftSpent: '扣已用赠送',
  payout: '实退金额',
  provider: '支付方式',
  reason: '原因',
  words: '渠道结果',
  organiseName: '所属机构',
  agentName: '所属代理商',
  siteName: '所属站点',
  createdBy: '申请人',
  createdAt: '申请时间',
  auditedBy: '审核人',
  auditedAt: '审核时间',
  approvedBy: '审批人',
  approvedAt: '审批时间',
  decision: '不通过原因',
  finishedAt: '完成时间',
} as const

/** Worked out by the server: what can go back, and what an amount of it would mean. */
export type RechargeQuote = z.infer<typeof RechargeQuote>
export const RechargeQuote = row({
  rechargeNo: z.string(),
  recharged: money,
  refunded: money,
  refundable: money.describe('of this recharge, and no more than the wallet holds'),
  amount: money,
  gift: money,
  giftSpent: money,
  payout: money,
})

const menu = menuKey.rechargeRefund
const module = '充值退款'
const one = row({ id })
const why = row({ id, reason: text(200, '原因') })
const asking = { menu, action: 'add' } as const
const auditing = { menu, action: 'edit' } as const
const deciding = { menu, action: 'approve' } as const

export const rechargeRefund = {
  list: get('/seeker/api/rechargeRefund/pageList', {
    access: { menu },
    query: PageQuery.extend({
      refundNo: id.optional().describe('the whole number'),
      rechargeNo: id.optional(),
      phone: phone.optional().describe('of the member'),
      status: refundStep.wire.optional(),
      ...ownerIds,
      from: date.optional().describe('the day it was asked for'),
      to: date.optional(),
    }),
    data: page(RechargeRefund),
  }),
  quote: get('/seeker/api/rechargeRefund/quote', {
    access: asking,
    query: row({ rechargeNo: id, amount: yuan.optional().describe('all of it where none is named') }),
    data: RechargeQuote,
  }),
  add: post('/seeker/api/rechargeRefund/save', {
    access: asking,
    audit: { module, does: '申请充值退款' },
    idempotent: true,
    body: row({ rechargeNo: id, amount: yuan, reason: text(200, '退款原因') }),
    data: row({ id: z.string() }),
  }),
  audit: post('/seeker/api/rechargeRefund/audit', {
    access: auditing,
    audit: { module, does: '充值退款审核通过' },
    idempotent: true,
    body: one,
    data: done,
  }),
  auditFail: post('/seeker/api/rechargeRefund/auditFail', {
    access: auditing,
    audit: { module, does: '充值退款审核不通过' },
    body: why,
    data: done,
  }),
  approve: post('/seeker/api/rechargeRefund/approve', {
    access: deciding,
    audit: { module, does: '充值退款审批通过' },
    idempotent: true,
    body: one,
    data: done,
  }),
  approvalFail: post('/seeker/api/rechargeRefund/approvalFail', {
    access: deciding,
    audit: { module, does: '充值退款审批不通过' },
    body: why,
    data: done,
  }),
  cancel: post('/seeker/api/rechargeRefund/cancel', {
    access: asking,
    audit: { module, does: '撤销充值退款' },
    body: one,
    data: done,
  }),
  /** Where the provider could not do it: another attempt under a new number. */
  retry: post('/seeker/api/rechargeRefund/retry', {
    access: deciding,
    audit: { module, does: '重试充值退款' },
    idempotent: true,
    body: one,
    data: done,
  }),
  /** Given up: all of it goes back into the wallet. */
  giveBack: post('/seeker/api/rechargeRefund/giveBack', {
    access: deciding,
    audit: { module, does: '充值退款退回钱包' },
    idempotent: true,
    body: one,
    data: done,
  }),
  exportList: exportList('/seeker/api/rechargeRefund/export', { menu, module }),
}
