import { z } from 'zod'
import { payProvider } from '../accounting/pay-codes.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { type DataOf, done, get, post } from '../kit/route.ts'
import { id, money, phone, row, text, yuan } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { wholeDays } from './order-row.ts'
import { numberAbout, refundStep, stepFields } from './refund-codes.ts'

const menu = menuKey.rechargeRefund
const module = '充值退款'

export const rechargeRefundList = defineList('/seeker/api/rechargeRefund', {
  menu,
  module,
  fields: {
    id: f.no('退款单号', { width: 200, about: numberAbout }),
    status: f.code('状态', refundStep, { width: 110 }),
    payout: f.money('实退金额', { width: 100, about: 'paid back to the payer' }),
    memberName: f.person('用户', 'name', { optional: true, width: 190, object: { kind: 'member', id: 'memberId' } }),
    memberPhone: f.person('手机号', 'phone', { optional: true }),
    recharged: f.money('充值金额', { width: 100, about: 'amount of the recharge' }),
    amount: f.money('申请金额', { width: 100, about: 'deducted from the recharged money of the wallet' }),
    gift: f.money('扣回赠送', { width: 90, about: 'gift money taken back from the gift wallet' }),
    giftSpent: f.money('扣回已用赠送', {
      width: 110,
      about: 'spent part of the gift, deducted from the payout',
    }),
    provider: f.code('支付方式', payProvider, { width: 90 }),
    reason: f.shown('原因', { width: 180 }),
    words: f.shown('渠道结果', { optional: true, width: 220, about: 'last response of the provider' }),
    ...stepFields,
    finishedAt: f.time('完成时间', { optional: true, width: 170 }),
    rechargeNo: f.no('充值单号', { width: 200, object: { kind: 'recharge', id: 'rechargeNo' } }),
    ...f.owner,
    memberId: f.data(z.string()),
    providerNo: f.data(z.string().nullable()),
    stuck: f.data(z.boolean().describe('the provider cannot refund; manual handling is required')),
  },
  decided: [
    ['id', 'createdAt'],
    ['status', 'words'],
    ['payout', 'recharged'],
    ['memberName', 'memberPhone'],
    ['rechargeNo', 'provider'],
    ['gift', 'giftSpent'],
  ],
  filter: {
    own: {
      refundNo: { title: '退款单号', schema: id },
      rechargeNo: { title: '充值单号', schema: id },
      phone: { title: '用户手机号', schema: phone },
    },
    exact: ['status'],
    days: 'createdAt',
    owner: ['organise', 'agent', 'site'],
  },
  exports: true,
})
export type RechargeRefund = DataOf<typeof rechargeRefundList.routes.list>['rows'][number]

/** Calculated by the server: the refundable amount, and the parts of a requested amount. */
export type RechargeQuote = z.infer<typeof RechargeQuote>
export const RechargeQuote = row({
  rechargeNo: z.string(),
  recharged: money,
  refunded: money,
  refundable: money.describe('refundable part of this recharge, limited by the wallet balance'),
  amount: money,
  gift: money,
  giftSpent: money,
  payout: money,
})

/** Refundable recharges of a member, for users who may request a refund. */
export const refundableList = defineList('/seeker/api/rechargeRefund', {
  menu,
  module,
  action: 'add',
  at: '/refundable/{memberId}',
  params: row({ memberId: id }),
  fields: {
    id: f.no('充值单号', { width: 200, object: { kind: 'recharge', id: 'id' } }),
    amount: f.money('充值金额', { width: 110 }),
    gift: f.money('赠送', { width: 90 }),
    refunded: f.money('已退金额', { width: 100, about: 'refunded or requested' }),
    left: f.money('未退金额', { width: 100, about: 'the wallet balance may be lower' }),
    provider: f.code('支付方式', payProvider, { width: 100 }),
    paidAt: f.time('支付时间', { optional: true, width: 170 }),
    siteName: f.owner.siteName,
    siteId: f.owner.siteId,
  },
  filter: { days: 'paidAt' },
})

const one = row({ id })
const why = row({ id, reason: text(200, '原因') })
const asking = { menu, action: 'add' } as const
const auditing = { menu, action: 'edit' } as const
const deciding = { menu, action: 'approve' } as const

export const rechargeRefund = {
  ...rechargeRefundList.routes,
  totals: get('/seeker/api/rechargeRefund/totals', {
    access: { menu },
    query: row({ ...rechargeRefundList.filterShape, ...wholeDays }),
    data: row({
      count: z.int(),
      sums: row({ waiting: money, refunding: money, refunded: money, gift: money }).describe(
        'waiting: requested amounts; refunding, refunded: payouts; gift: taken back by completed refunds',
      ),
    }),
  }),
  refundable: refundableList.routes.list,
  quote: get('/seeker/api/rechargeRefund/quote', {
    access: asking,
    query: row({ rechargeNo: id, amount: yuan.optional().describe('default: the complete refundable amount') }),
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
    audit: { module, does: '充值退款审核驳回' },
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
    audit: { module, does: '充值退款审批驳回' },
    body: why,
    data: done,
  }),
  cancel: post('/seeker/api/rechargeRefund/cancel', {
    access: asking,
    audit: { module, does: '撤销充值退款' },
    body: one,
    data: done,
  }),
  /** After a failure at the provider: another attempt under a new number. */
  retry: post('/seeker/api/rechargeRefund/retry', {
    access: deciding,
    audit: { module, does: '重试充值退款' },
    idempotent: true,
    body: one,
    data: done,
  }),
  /** Gives up the refund: all of it returns to the wallet. */
  giveBack: post('/seeker/api/rechargeRefund/giveBack', {
    access: deciding,
    audit: { module, does: '充值退款退回钱包' },
    idempotent: true,
    body: one,
    data: done,
  }),
}
