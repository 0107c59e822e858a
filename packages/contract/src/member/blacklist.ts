import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import type { DataOf } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { date, id, personKeyword, phone, text } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'

/** What a block bars. The codes are bits, so several blocks of one person combine by OR. */
export const blockScope = codes({
  charge: { code: 1, label: '充电', tone: 'warn' },
  recharge: { code: 2, label: '充值', tone: 'warn' },
  both: { code: 3, label: '全部', tone: 'bad' },
})

/** Derived from the times of the block and from who ended it. */
export const blockStatus = codes({
  active: { code: 1, label: '生效中', tone: 'bad' },
  lifted: { code: 2, label: '已解除', tone: 'off' },
  expired: { code: 3, label: '已到期', tone: 'off' },
})

/** The printed number of a stored-value card. */
const cardNo = z
  .string()
  .trim()
  .regex(/^\d{4,20}$/, '请输入正确的卡号')

const menu = menuKey.blacklist
const module = '黑名单'
const { change, create } = screenRoutes({ menu, module })

export const blockList = defineList('/wechat/api/blacklist', {
  menu,
  module,
  fields: {
    nickname: f.shown('用户', { optional: true, width: 150, object: { kind: 'member', id: 'memberId' } }),
    phone: f.phone('手机号', { width: 150 }),
    cardNo: f.person('卡号', 'cardNo', { optional: true, width: 130 }),
    status: f.code('状态', blockStatus, { width: 120 }),
    scope: f.code('限制范围', blockScope, { width: 90 }),
    reason: f.shown('原因', { width: 220 }),
    ...f.owner,
    createdAt: f.time('加入时间', { width: 180 }),
    endedAt: f.time('到期/解除时间', { optional: true, width: 180, about: 'end of the block; null: no end is set' }),
    createdBy: f.shown('操作人', { width: 120, object: { kind: 'staff', id: 'createdById' } }),
    liftedBy: f.shown('解除人', { optional: true, width: 100 }),
    liftReason: f.shown('解除原因', { optional: true, width: 180 }),
    memberId: f.data(z.string().nullable()),
    createdById: f.data(z.string()),
    mayLift: f.data(z.boolean().describe('whether the place of the caller covers the place that added the block')),
  },
  decided: [
    ['nickname', 'phone'],
    ['cardNo'],
    ['status', 'scope'],
    ['reason', 'liftReason'],
    ['createdAt', 'endedAt'],
    ['createdBy', 'liftedBy'],
    ['siteName', 'agentName'],
  ],
  filter: {
    own: {
      keyword: {
        title: '手机号/会员ID/卡号',
        schema: personKeyword.describe('complete phone number, member number, or card number'),
      },
    },
    exact: ['status', 'scope'],
    owner: ['organise', 'agent', 'site'],
    days: 'createdAt',
  },
  exports: true,
})
export type Block = DataOf<typeof blockList.routes.list>['rows'][number]

/** People whom an organisation bars from charging or recharging. */
export const blacklist = {
  ...blockList.routes,
  add: create('/wechat/api/blacklist/save', '加入黑名单', {
    organiseId: id.optional().describe('organisation of the block; by default that of the caller'),
    memberId: id.optional().describe('exactly one of memberId, phone and cardNo'),
    phone: phone.optional(),
    cardNo: cardNo.optional(),
    scope: blockScope.wire,
    reason: text(200, '原因'),
    endsOn: date.optional().describe('last day of the block; absent: until it is lifted'),
  }),
  lift: change('/wechat/api/blacklist/lift', '解除黑名单', { id, reason: text(200, '解除原因') }),
}
