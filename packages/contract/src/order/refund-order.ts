import { z } from 'zod'
import { exportList } from '../kit/bulk.ts'
import { page, PageQuery } from '../kit/page.ts'
import { personal } from '../kit/personal.ts'
import { done, get, post } from '../kit/route.ts'
import { date, flag, id, money, phone, row, text, time, yuan } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { ownerIds, ownerNames } from '../system/ownership.ts'
import { refundKind, refundStatus, refundWay } from './refund-codes.ts'

export type RefundOrder = z.infer<typeof RefundOrder>
export const RefundOrder = row({
  id: z.string().describe('the number that people see; it holds the moment it was asked for'),
  orderNo: z.string(),
  memberId: z.string().nullable(),
  memberName: personal('name').nullable(),
  memberPhone: personal('phone').nullable(),
  ...ownerNames,
  total: money.describe('of the order'),
  amount: money,
  paid: money.describe('of the amount, what goes back as own money'),
  gift: money.describe('of the amount, what goes back to the gift wallet'),
  electricity: money,
  service: money,
  occupancy: money,
  kind: refundKind.schema,
  way: refundWay.schema,
  reason: z.string(),
  status: refundStatus.schema,
  providerNo: z.string().nullable().describe('what the provider calls it'),
  words: z.string().nullable().describe('what the provider said that could not do it'),
  stuck: z.boolean().describe('a person has to see to it'),
  trace: z.string().nullable().describe('of a rule: which, with its figures and what was left of the budget'),
  own: z.boolean().describe('asked for by the reader, who cannot decide on it'),
  createdBy: z.string(),
  createdAt: time,
  decidedBy: z.string().nullable(),
  decidedAt: time.nullable(),
  decision: z.string().nullable().describe('why it was declined'),
  arrivedAt: time.nullable(),
})

/** What the list shows and a file holds. */
export const refundColumns = {
  id: '退款单号',
  status: '退款状态',
  orderNo: '订单号',
  memberName: '用户',
  memberPhone: '手机号',
  total: '原金额',
  amount: '退款金额',
  paid: '退充值',
  gift: '退赠送',
  kind: '类型',
  way: '退款方式',
  reason: '原因',
  providerNo: '渠道单号',
  words: '失败原因',
  organiseName: '所属机构',
  agentName: '所属代理商',
  siteName: '所属站点',
  createdBy: '申请人',
  createdAt: '申请时间',
  decidedBy: '审批人',
  decidedAt: '审批时间',
  decision: '拒绝原因',
  arrivedAt: '到账时间',
  trace: '自动规则',
} as const

/** What of an order can still go back, and what a certain amount of it would be made of. */
export type RefundQuote = z.infer<typeof RefundQuote>
export const RefundQuote = row({
  orderNo: z.string(),
  total: money,
  refunded: money.describe('gone back, or asked for'),
  refundable: money,
  refundablePaid: money.describe('of it own money, which goes first'),
  refundableGift: money,
  byOrigin: money.describe('so much can go back to where the member’s recharges came from'),
  doubts: z.array(z.string()).describe('why the order is suspect, in words'),
})

export type RefundPolicy = z.infer<typeof RefundPolicy>
export const RefundPolicy = row({
  enabled: z.boolean(),
  max: money.nullable().describe('per refund; null: never set'),
  day: money.nullable(),
  spent: money.describe('of today’s budget'),
  updatedBy: z.string().nullable(),
  updatedAt: time.nullable(),
})

const menu = menuKey.refundOrder
const module = '退款订单'
const deciding = { menu, action: 'approve' } as const
const one = row({ id })

/** Of a charge nobody gets back more than was paid, and nobody decides on what they asked for themselves. */
export const refundOrder = {
  list: get('/seeker/api/refundOrder/pageList', {
    access: { menu },
    query: PageQuery.extend({
      refundNo: id.optional().describe('the whole number'),
      orderNo: id.optional(),
      phone: phone.optional().describe('of the member'),
      memberId: id.optional(),
      status: refundStatus.wire.optional(),
      kind: refundKind.wire.optional(),
      ...ownerIds,
      from: date.optional().describe('the day it was asked for'),
      to: date.optional(),
    }),
    data: page(RefundOrder),
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
    audit: { module, does: '同意订单退款' },
    idempotent: true,
    body: one,
    data: done,
  }),
  decline: post('/seeker/api/refundOrder/decline', {
    access: deciding,
    audit: { module, does: '拒绝订单退款' },
    body: row({ id, reason: text(200, '拒绝原因') }),
    data: done,
  }),
  /** Of a refund that the payer's account cannot take: another attempt under a new number. */
  retry: post('/seeker/api/refundOrder/retry', {
    access: deciding,
    audit: { module, does: '重试订单退款' },
    idempotent: true,
    body: one,
    data: done,
  }),
  /** The same, given up: what could not arrive stays in the wallet. */
  toWallet: post('/seeker/api/refundOrder/toWallet', {
    access: deciding,
    audit: { module, does: '订单退款转入钱包' },
    idempotent: true,
    body: one,
    data: done,
  }),
  policy: get('/seeker/api/refundOrder/policy', {
    access: { menu },
    query: row({ organiseId: id.optional().describe('the platform must name it') }),
    data: RefundPolicy,
  }),
  savePolicy: post('/seeker/api/refundOrder/savePolicy', {
    access: deciding,
    audit: { module, does: '设置自动退款规则' },
    body: row({
      organiseId: id.optional().describe('the platform must name it'),
      enabled: flag,
      max: yuan,
      day: yuan,
    }),
    data: done,
  }),
  exportList: exportList('/seeker/api/refundOrder/export', { menu, module }),
}
