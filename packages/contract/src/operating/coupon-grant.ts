import { z } from 'zod'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import type { DataOf } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { id, lines, personKeyword, row, text } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { grantSource, grantStatus } from './coupon-codes.ts'

/** Members that one request can give a coupon to. */
export const mostPhones = 200
const menu = menuKey.coupon
const module = '优惠券管理'
const { changeMany, change } = screenRoutes({ menu, module })

/** The coupons that members hold or held. */
export const grantList = defineList('/seeker/api/coupon/grant', {
  menu,
  module,
  fields: {
    name: f.shown('优惠券', { width: 160 }),
    nickname: f.shown('用户', { width: 140, object: { kind: 'member', id: 'memberId' } }),
    phone: f.phone('手机号', { width: 140 }),
    status: f.code('状态', grantStatus, { width: 90 }),
    source: f.code('来源', grantSource, { width: 100 }),
    off: f.money('优惠金额', { optional: true, width: 110, about: 'what it took off the bill' }),
    orderId: f.shown('订单号', { optional: true, width: 190, object: { kind: 'order', id: 'orderId' } }),
    validUntil: f.day('有效期至', { width: 120 }),
    grantedBy: f.shown('发放人', { optional: true, width: 110 }),
    grantedAt: f.time('领取时间', { width: 180 }),
    usedAt: f.time('使用时间', { optional: true, width: 180 }),
    voidedBy: f.shown('作废人', { optional: true, width: 110, hidden: true }),
    voidReason: f.shown('作废原因', { optional: true, width: 180, hidden: true }),
    memberId: f.data(z.string()),
    couponId: f.data(z.string()),
    ...f.owner,
  },
  decided: [
    ['name', 'nickname'],
    ['phone'],
    ['status', 'source'],
    ['off', 'orderId'],
    ['validUntil'],
    ['grantedAt', 'grantedBy'],
    ['usedAt'],
  ],
  filter: {
    own: {
      keyword: { title: '手机号', schema: personKeyword.describe('complete phone number') },
      couponId: { schema: id },
      memberId: { schema: id },
    },
    exact: ['status', 'source'],
    days: 'grantedAt',
  },
  exports: true,
})
export type Grant = DataOf<typeof grantList.routes.list>['rows'][number]

export const couponGrant = {
  ...grantList.routes,
  /** Gives one coupon to each of these members. */
  give: change(
    '/seeker/api/coupon/give',
    '发放优惠券',
    { couponId: id, phones: lines(mostPhones * 12, '手机号').describe('one phone in a line') },
    {
      idempotent: true,
      data: row({
        given: z.int(),
        refused: z.array(row({ phone: z.string().describe('masked'), why: z.string() })),
      }),
    },
  ),
  /** Unused coupons are taken back. */
  takeBack: changeMany('/seeker/api/coupon/grant/void', '作废优惠券', { reason: text(200, '作废原因') }),
}
