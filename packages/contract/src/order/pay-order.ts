import { z } from 'zod'
import {
  payProvider,
  payPurpose,
  payRefundPurpose,
  payRefundStatus,
  payStatus,
  payWay,
} from '../accounting/pay-codes.ts'
import { exportList } from '../kit/bulk.ts'
import { codes } from '../kit/codes.ts'
import { page, PageQuery } from '../kit/page.ts'
import { personal } from '../kit/personal.ts'
import { done, get, post } from '../kit/route.ts'
import { date, id, money, row, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { ownerIds, ownerNames } from '../system/ownership.ts'

/** What became of something a provider told us. */
export const noticeState = codes({
  waiting: { code: 1, label: '待处理', tone: 'warn' },
  done: { code: 2, label: '已处理', tone: 'ok' },
  strange: { code: 3, label: '与订单不符', tone: 'bad' },
})

export type PayOrder = z.infer<typeof PayOrder>
export const PayOrder = row({
  id: z.string(),
  payNo: z.string().describe('what the provider calls it, too'),
  refNo: z.string().nullable().describe('the order that wants the money; none for a test'),
  transactionId: z.string().nullable().describe('of the provider'),
  memberName: personal('name').nullable(),
  memberPhone: personal('phone').nullable(),
  ...ownerNames,
  purpose: payPurpose.schema,
  provider: payProvider.schema,
  way: payWay.schema,
  amount: money,
  fee: money.describe('what the provider keeps by the rate'),
  refunded: money.describe('gone back or on the way'),
  profitSharing: z.boolean(),
  status: payStatus.schema,
  late: z.boolean().describe('paid after it was closed: it goes back by itself'),
  failure: z.string().nullable(),
  createdAt: time,
  paidAt: time.nullable(),
  closedAt: time.nullable(),
})

export const payOrderColumns = {
  payNo: '支付单号',
  status: '支付状态',
  refNo: '订单号',
  transactionId: '渠道流水号',
  member: '用户',
  organiseName: '所属机构',
  agentName: '所属代理商',
  siteName: '所属站点',
  purpose: '业务类型',
  provider: '支付方式',
  amount: '支付金额',
  fee: '手续费',
  refunded: '已退金额',
  profitSharing: '分账',
  createdAt: '下单时间',
  paidAt: '支付时间',
  closedAt: '关闭时间',
} as const

export type PayOrderDetail = z.infer<typeof PayOrderDetail>
export const PayOrderDetail = PayOrder.extend({
  merchantName: z.string(),
  merchantNo: z.string(),
  expiresAt: time,
  sentAt: time.nullable(),
  lookAt: time.nullable().describe('when the provider is asked next; null: nothing is open'),
  notices: z.array(
    row({
      noticeId: z.string(),
      kind: z.literal([1, 2]).describe('1 of the payment, 2 of a refund'),
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
      words: z.string().nullable().describe('what the provider last said'),
      createdAt: time,
      arrivedAt: time.nullable(),
    }),
  ),
})

const menu = menuKey.payOrder
const module = '支付订单'

const query = {
  payNo: z
    .string()
    .trim()
    .regex(/^[\w-]{1,64}$/, '请输入正确的单号')
    .optional()
    .describe('the whole number: of the payment, of its order, or of the provider'),
  purpose: payPurpose.wire.optional(),
  provider: payProvider.wire.optional(),
  status: payStatus.wire.optional(),
  ...ownerIds,
  from: date.optional().describe('the day it was made'),
  to: date.optional(),
}

export const payOrder = {
  list: get('/seeker/api/payOrder/pageList', {
    access: { menu },
    query: PageQuery.extend(query),
    data: page(PayOrder),
  }),
  totals: get('/seeker/api/payOrder/totals', {
    access: { menu },
    query: row({ ...query, from: date, to: date }),
    data: row({ count: z.int(), sums: row({ paid: money, fee: money, refunded: money }) }),
  }),
  detail: get('/seeker/api/payOrder/detail/{id}', { access: { menu }, params: row({ id }), data: PayOrderDetail }),
  /** Asks the provider now what became of it and of its refunds; the answer shows in the row a moment later. */
  sync: post('/seeker/api/payOrder/sync', {
    access: { menu, action: 'edit' },
    audit: { module, does: '查单同步' },
    body: row({ id }),
    data: done,
  }),
  exportList: exportList('/seeker/api/payOrder/export', { menu, module }),
}
