import { z } from 'zod'
import { rechargeProvider, rechargeStatus, rechargeTarget } from '../accounting/pay-codes.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { type DataOf, get } from '../kit/route.ts'
import { date, id, money, phone, row } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { numberAbout } from './refund-codes.ts'

const menu = menuKey.rechargeRecord
export const rechargeList = defineList('/seeker/api/rechargeRecord', {
  menu,
  module: '充值记录',
  fields: {
    id: f.shown('充值单号', { width: 190, about: numberAbout }),
    status: f.code('状态', rechargeStatus, { width: 90 }),
    memberName: f.person('用户', 'name', { optional: true, width: 110, object: { kind: 'member', id: 'memberId' } }),
    memberPhone: f.person('手机号', 'phone', { optional: true, width: 130 }),
    amount: f.money('金额', { width: 100 }),
    gift: f.money('赠送', { width: 90 }),
    credited: f.money('到账', { width: 100, about: 'recharged plus gift money; zero before payment' }),
    provider: f.code('支付方式', rechargeProvider, { width: 90 }),
    cardNo: f.shown('储值卡号', { optional: true, width: 140 }),
    before: f.money('充值前余额', { optional: true, width: 110 }),
    after: f.money('充值后余额', { optional: true, width: 110 }),
    refunded: f.money('已退金额', { width: 90 }),
    transactionId: f.shown('渠道流水号', { optional: true, width: 250 }),
    createdAt: f.time('下单时间', { width: 170 }),
    paidAt: f.time('支付时间', { optional: true, width: 170 }),
    ...f.owner,
    target: f.data(rechargeTarget.schema),
    memberId: f.data(z.string().nullable()),
    payOrderId: f.data(z.string().nullable()),
  },
  decided: [
    ['id', 'createdAt'],
    ['status', 'provider'],
    ['memberName', 'memberPhone'],
    ['amount', 'gift'],
    ['credited', 'refunded'],
    ['before', 'after'],
    ['siteName', 'agentName'],
    ['paidAt', 'transactionId'],
  ],
  sorts: ['createdAt'],
  filter: {
    own: {
      rechargeNo: { title: '充值单号', schema: id },
      phone: { title: '用户手机号', schema: phone },
      memberId: { schema: id },
    },
    exact: ['status', 'provider'],
    days: 'createdAt',
    owner: ['organise', 'agent', 'site'],
  },
  exports: true,
})
export type RechargeRecord = DataOf<typeof rechargeList.routes.list>['rows'][number]

export const rechargeRecord = {
  ...rechargeList.routes,
  totals: get('/seeker/api/rechargeRecord/totals', {
    access: { menu },
    query: row({ ...rechargeList.filterShape, from: date, to: date }),
    data: row({ count: z.int(), sums: row({ amount: money, gift: money, refunded: money }) }),
  }),
}
