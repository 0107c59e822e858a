import { z } from 'zod'
import {
  payProvider,
  payPurpose,
  payRefundPurpose,
  payRefundStatus,
  payStatus,
  payWay,
} from '../accounting/pay-codes.ts'
import { codes } from '../kit/codes.ts'
import { f, rowOf } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import type { DataOf } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { date, id, money, row, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'

/** The processing state of a provider notice. */
export const noticeState = codes({
  waiting: { code: 1, label: '待处理', tone: 'warn' },
  done: { code: 2, label: '已处理', tone: 'ok' },
  strange: { code: 3, label: '与订单不符', tone: 'bad' },
})

const menu = menuKey.payOrder
const module = '支付订单'
const { read, change } = screenRoutes({ menu, module })
const anyNo = z
  .string()
  .trim()
  .regex(/^[\w-]{1,64}$/, '请输入正确的单号')
  .describe('complete number of the payment, of its order, or of the provider')

export const payList = defineList('/seeker/api/payOrder', {
  menu,
  module,
  fields: {
    payNo: f.shown('支付单号', {
      width: 200,
      object: { kind: 'payment', id: 'id' },
      about: 'also the number at the provider',
    }),
    status: f.code('支付状态', payStatus, { width: 150 }),
    purpose: f.code('业务类型', payPurpose, { width: 100 }),
    provider: f.code('支付方式', payProvider, { width: 90 }),
    amount: f.money('支付金额', { width: 100 }),
    fee: f.money('手续费', { width: 80, about: 'fee of the provider, by the rate' }),
    refunded: f.money('已退金额', { width: 90, about: 'refunded or in progress' }),
    memberName: f.person('用户', 'name', { optional: true, width: 110, object: { kind: 'member', id: 'memberId' } }),
    memberPhone: f.person('手机号', 'phone', { optional: true, width: 130 }),
    refNo: f.shown('订单号', {
      optional: true,
      width: 190,
      object: { kind: 'recharge', id: 'rechargeId' },
      about: 'order that the payment is for; none for a test',
    }),
    transactionId: f.shown('渠道流水号', { optional: true, width: 250, about: 'transaction number of the provider' }),
    createdAt: f.time('下单时间', { width: 170 }),
    paidAt: f.time('支付时间', { optional: true, width: 170 }),
    ...f.owner,
    closedAt: f.time('关闭时间', { optional: true, width: 170, hidden: true }),
    memberId: f.data(z.string().nullable()),
    rechargeId: f.data(z.string().nullable().describe('recharge that the payment is for')),
    way: f.data(payWay.schema),
    late: f.data(z.boolean().describe('paid after closing; refunded automatically')),
    failure: f.data(z.string().nullable()),
  },
  decided: [
    ['payNo', 'createdAt'],
    ['status', 'purpose'],
    ['amount', 'fee'],
    ['refunded'],
    ['memberName', 'memberPhone'],
    ['refNo', 'provider'],
    ['paidAt', 'transactionId'],
  ],
  sorts: ['createdAt'],
  filter: {
    own: { payNo: { title: '支付单号/订单号/渠道流水号', schema: anyNo } },
    exact: ['status', 'provider', 'purpose'],
    days: 'createdAt',
    owner: ['organise', 'agent', 'site'],
  },
  exports: true,
})
export type PayOrder = DataOf<typeof payList.routes.list>['rows'][number]

export type PayOrderDetail = z.infer<typeof PayOrderDetail>
export const PayOrderDetail = rowOf(payList.fields).extend({
  merchantName: z.string(),
  merchantNo: z.string(),
  expiresAt: time,
  sentAt: time.nullable(),
  lookAt: time.nullable().describe('next query at the provider; null: nothing is open'),
  notices: z.array(
    row({
      noticeId: z.string(),
      kind: z.literal([1, 2]).describe('1: payment notice, 2: refund notice'),
      receivedAt: time,
      copies: z.int(),
      status: noticeState.schema,
      problem: z.string().nullable(),
    }),
  ),
  refunds: z.array(
    row({
      refundNo: z.string(),
      amount: money,
      purpose: payRefundPurpose.schema,
      reason: z.string(),
      status: payRefundStatus.schema,
      words: z.string().nullable().describe('last response of the provider'),
      createdAt: time,
      arrivedAt: time.nullable(),
    }),
  ),
})

export const payOrder = {
  ...payList.routes,
  totals: read('/seeker/api/payOrder/totals', {
    query: row({ ...payList.filterShape, from: date, to: date }),
    data: row({ count: z.int(), sums: row({ paid: money, fee: money, refunded: money }) }),
  }),
  detail: read('/seeker/api/payOrder/detail/{id}', { params: row({ id }), data: PayOrderDetail }),
  /** Queries the payment and its refunds at the provider now; the row shows the result a moment later. */
  sync: change('/seeker/api/payOrder/sync', '查单同步', { id }),
}
