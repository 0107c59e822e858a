import { z } from 'zod'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { type DataOf, done, get, post } from '../kit/route.ts'
import { flag, id, money, phone, row, text, time, yuan } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { wholeDays } from './order-row.ts'
import { numberAbout, refundKind, refundStatus, refundWay } from './refund-codes.ts'

const menu = menuKey.refundOrder
const module = '退款订单'

export const refundList = defineList('/seeker/api/refundOrder', {
  menu,
  module,
  fields: {
    id: f.no('退款单号', { width: 200, about: numberAbout }),
    status: f.code('退款状态', refundStatus, { width: 120 }),
    amount: f.money('退款金额', { width: 100 }),
    memberName: f.person('用户', 'name', { optional: true, width: 190, object: { kind: 'member', id: 'memberId' } }),
    memberPhone: f.person('手机号', 'phone', { optional: true }),
    reason: f.shown('原因', { width: 200 }),
    total: f.money('原金额', { width: 90, about: 'total of the order' }),
    orderNo: f.no('订单号', { width: 190, object: { kind: 'order', id: 'orderNo' } }),
    paid: f.money('退充值', { width: 90, hidden: true, about: 'part of the amount refunded as recharged money' }),
    gift: f.money('退赠送', { width: 90, hidden: true, about: 'part of the amount refunded to the gift wallet' }),
    kind: f.code('类型', refundKind, { width: 110 }),
    way: f.code('退款方式', refundWay, { width: 100 }),
    words: f.shown('失败原因', { optional: true, width: 220, about: 'failure message of the provider' }),
    createdBy: f.shown('申请人', { width: 100 }),
    createdAt: f.time('申请时间', { width: 170 }),
    decidedBy: f.shown('审批人', { optional: true, width: 120 }),
    decidedAt: f.time('审批时间', { optional: true, width: 170, hidden: true }),
    decision: f.shown('驳回原因', { optional: true, width: 180, about: 'reason for the rejection' }),
    arrivedAt: f.time('到账时间', { optional: true, width: 170 }),
    ...f.owner,
    providerNo: f.shown('渠道单号', {
      optional: true,
      width: 240,
      hidden: true,
      about: 'refund number at the provider',
    }),
    trace: f.shown('自动规则', {
      optional: true,
      width: 320,
      hidden: true,
      about: 'the rule, with its figures and the remaining budget',
    }),
    electricity: f.money('退电费', { width: 90, hidden: true }),
    service: f.money('退服务费', { width: 90, hidden: true }),
    occupancy: f.money('退占位费', { width: 90, hidden: true }),
    memberId: f.data(z.string().nullable()),
    stuck: f.data(z.boolean().describe('manual handling is required')),
    own: f.data(z.boolean().describe('requested by the caller, who cannot decide on it')),
  },
  decided: [
    ['id', 'createdAt'],
    ['status', 'words'],
    ['amount', 'total'],
    ['memberName', 'memberPhone'],
    ['orderNo', 'siteName'],
    ['kind', 'reason'],
    ['createdBy', 'decidedBy'],
  ],
  sorts: ['createdAt'],
  filter: {
    own: {
      refundNo: { title: '退款单号', schema: id.describe('complete number') },
      orderNo: { title: '订单号', schema: id },
      phone: { title: '用户手机号', schema: phone.describe('phone of the member') },
      memberId: { schema: id },
    },
    exact: ['status', 'kind'],
    days: 'createdAt',
    owner: ['organise', 'agent', 'site'],
  },
  exports: true,
})
export type RefundOrder = DataOf<typeof refundList.routes.list>['rows'][number]

/** The refundable amount of an order, and the parts of a requested amount. */
export type RefundQuote = z.infer<typeof RefundQuote>
export const RefundQuote = row({
  orderNo: z.string(),
  total: money,
  refunded: money.describe('refunded or requested'),
  refundable: money,
  refundablePaid: money.describe('part in recharged money, refunded first'),
  refundableGift: money,
  byOrigin: money.describe('amount refundable to the payment sources of the member’s recharges'),
  doubts: z.array(z.string()).describe('why the order is suspicious, as text'),
})

export type RefundPolicy = z.infer<typeof RefundPolicy>
export const RefundPolicy = row({
  enabled: z.boolean(),
  max: money.nullable().describe('per refund; null: not set'),
  day: money.nullable(),
  spent: money.describe('spent part of today’s budget'),
  updatedBy: z.string().nullable(),
  updatedAt: time.nullable(),
})

const deciding = { menu, action: 'approve' } as const
const one = row({ id })

/** A refund never exceeds the paid amount, and a user cannot approve their own request. */
export const refundOrder = {
  ...refundList.routes,
  totals: get('/seeker/api/refundOrder/totals', {
    access: { menu },
    query: row({ ...refundList.filterShape, ...wholeDays }),
    data: row({
      count: z.int(),
      sums: row({ waiting: money, refunding: money, refunded: money, paid: money, gift: money }).describe(
        'amounts by status; paid, gift: recharged and gift money of completed refunds',
      ),
    }),
  }),
  quote: get('/seeker/api/refundOrder/quote', {
    access: { menu, action: 'add' },
    query: row({ orderNo: id }),
    data: RefundQuote,
  }),
  add: post('/seeker/api/refundOrder/save', {
    access: { menu, action: 'add' },
    audit: { module, does: '申请订单退款' },
    idempotent: true,
    body: row({ orderNo: id, amount: yuan, way: refundWay.wire, reason: text(200, '退款原因') }),
    data: row({ id: z.string(), status: refundStatus.schema }),
  }),
  approve: post('/seeker/api/refundOrder/approve', {
    access: deciding,
    audit: { module, does: '通过订单退款' },
    idempotent: true,
    body: one,
    data: done,
  }),
  decline: post('/seeker/api/refundOrder/decline', {
    access: deciding,
    audit: { module, does: '驳回订单退款' },
    body: row({ id, reason: text(200, '驳回原因') }),
    data: done,
  }),
  /** After the payer's account rejected a refund: another attempt under a new number. */
  retry: post('/seeker/api/refundOrder/retry', {
    access: deciding,
    audit: { module, does: '重试订单退款' },
    idempotent: true,
    body: one,
    data: done,
  }),
  /** Gives up the original route: the rejected amount stays in the wallet. */
  toWallet: post('/seeker/api/refundOrder/toWallet', {
    access: deciding,
    audit: { module, does: '订单退款转入钱包' },
    idempotent: true,
    body: one,
    data: done,
  }),
  policy: get('/seeker/api/refundOrder/policy', {
    access: { menu },
    query: row({ organiseId: id.optional().describe('required for platform users') }),
    data: RefundPolicy,
  }),
  savePolicy: post('/seeker/api/refundOrder/savePolicy', {
    access: deciding,
    audit: { module, does: '设置自动退款规则' },
    body: row({
      organiseId: id.optional().describe('required for platform users'),
      enabled: flag,
      max: yuan,
      day: yuan,
    }),
    data: done,
  }),
}
