import { z } from 'zod'
import { payProvider } from '../accounting/pay-codes.ts'
import { f, rowOf } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { type DataOf, get } from '../kit/route.ts'
import { date, id, money, phone, row, text, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { cardBuyStatus, passPhase, passUseState } from './member-card-codes.ts'
import { numberAbout } from './refund-codes.ts'

const menu = menuKey.memberCardBuy

export const cardBuyList = defineList('/seeker/api/memberCardBuy', {
  menu,
  module: '购卡订单',
  fields: {
    id: f.no('订单号', { width: 190, about: numberAbout }),
    status: f.code('状态', cardBuyStatus, { width: 90 }),
    planName: f.shown('卡名称', { width: 160 }),
    memberName: f.person('用户', 'name', { optional: true, width: 110, object: { kind: 'member', id: 'memberId' } }),
    memberPhone: f.person('手机号', 'phone', { optional: true, width: 130 }),
    amount: f.money('售价', { width: 100 }),
    paid: f.money('实付', { width: 100, about: 'zero before payment' }),
    provider: f.code('支付方式', payProvider, { width: 90 }),
    cardNo: f.no('卡号', { optional: true, width: 190, about: 'number of the pass; none before payment' }),
    phase: f.code('使用状态', passPhase, { optional: true, width: 90 }),
    fromOn: f.day('有效期', { optional: true, width: 110, about: 'first day of the pass; none before payment' }),
    toOn: f.day('到期日', { optional: true, width: 110 }),
    uses: f.count('已用次数', { width: 90 }),
    payNo: f.shown('支付单号', { optional: true, width: 200, object: { kind: 'payment', id: 'payOrderId' } }),
    createdAt: f.time('下单时间', { width: 170 }),
    paidAt: f.time('支付时间', { optional: true, width: 170 }),
    ...f.owner,
    memberId: f.data(z.string()),
    payOrderId: f.data(z.string().nullable()),
    planId: f.data(z.string()),
  },
  decided: [
    ['id', 'createdAt'],
    ['status', 'phase'],
    ['planName', 'cardNo'],
    ['memberName', 'memberPhone'],
    ['amount', 'paid'],
    ['fromOn', 'toOn'],
    ['siteName', 'agentName'],
    ['provider', 'uses'],
  ],
  filter: {
    own: {
      orderNo: { title: '订单号', schema: id },
      planName: { title: '卡名称', schema: text(40, '卡名称').describe('beginning of the name') },
      phone: { title: '手机号', schema: phone },
      memberId: { schema: id },
      planId: { schema: id },
    },
    exact: ['status', 'provider'],
    days: 'createdAt',
    owner: ['organise', 'agent', 'site'],
  },
  exports: true,
})
export type CardBuy = DataOf<typeof cardBuyList.routes.list>['rows'][number]

export type CardBuyDetail = z.infer<typeof CardBuyDetail>
const CardBuyDetail = rowOf(cardBuyList.fields).extend({
  days: z.int(),
  use: z.string(),
  times: z.string(),
  reach: z.string(),
  versionNo: z.int(),
  earned: money.describe('income of the days that have ended'),
  deferred: money.describe('part of the price for the days to come'),
  usesOfPass: z.array(
    row({
      orderId: z.string(),
      usedOn: date,
      siteId: z.string().nullable(),
      siteName: z.string().nullable(),
      off: money.describe('what the pass covered of the charge'),
      state: passUseState.schema,
      endedAt: time.nullable(),
    }),
  ),
})

export const memberCardBuy = {
  ...cardBuyList.routes,
  totals: get('/seeker/api/memberCardBuy/totals', {
    access: { menu },
    query: row({ ...cardBuyList.filterShape, from: date, to: date }),
    data: row({ count: z.int(), sums: row({ paid: money }) }),
  }),
  detail: get('/seeker/api/memberCardBuy/detail/{id}', { access: { menu }, params: row({ id }), data: CardBuyDetail }),
}
