import { yuanText } from '@wattdeck/domain/money.ts'
import { energyText } from '@wattdeck/domain/tariff/labels.ts'
import { z } from 'zod'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import type { DataOf } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { date, flag, id, keyword, money, row, text, whole, yuan } from '../kit/wire.ts'
import { whitelistFunder, whitelistScope } from '../member/whitelist-codes.ts'
import { menuKey } from '../menu-keys.ts'
import { couponKind, couponStatus } from './coupon-codes.ts'

export const couponMost = { total: 100_000, perMember: 50, validDays: 365 } as const

type Value = {
  kind: number
  offFen: number | null
  fromFen: number | null
  offBp: number | null
  maxFen: number | null
  freeMinutes: number | null
  freeDwh: number | null
}
const yuanOf = (fen: number | null) => yuanText(BigInt(fen ?? 0))
/** What a coupon is worth, in one line. */
export function couponText({ kind, offFen, fromFen, offBp, maxFen, freeMinutes, freeDwh }: Value): string {
  const { reduction, discount, minutes, energy } = couponKind.code
  if (kind === reduction) return `${fromFen === 0 ? '无门槛' : `满 ${yuanOf(fromFen)} 元`}减 ${yuanOf(offFen)} 元`
  if (kind === discount) return `原价的 ${(10_000 - (offBp ?? 0)) / 100}%，最多减 ${yuanOf(maxFen)} 元`
  if (kind === minutes) return `免费 ${freeMinutes} 分钟`
  if (kind === energy) return `免费 ${energyText(freeDwh ?? 0)} 度`
  return `一次免单，最多 ${yuanOf(maxFen)} 元`
}

const value = {
  offFen: f.data(z.int().nullable()),
  fromFen: f.data(z.int().nullable()),
  offBp: f.data(z.int().nullable()),
  maxFen: f.data(z.int().nullable()),
  freeMinutes: f.data(z.int().nullable()),
  freeDwh: f.data(z.int().nullable()),
}

const menu = menuKey.coupon
const module = '优惠券管理'
const { changeMany, create, approve, read } = screenRoutes({ menu, module })

export const couponList = defineList('/seeker/api/coupon', {
  menu,
  module,
  fields: {
    no: f.no('编号', { width: 100, hidden: true }),
    name: f.shown('名称', { width: 180 }),
    kind: f.code('类型', couponKind, { width: 80 }),
    worth: f.derived('面值', (coupon: Value) => couponText(coupon), { width: 190 }),
    status: f.code('状态', couponStatus, { width: 90 }),
    given: f.derived('已领/总量', ({ granted, total }: { granted: number; total: number }) => `${granted}/${total}`, {
      width: 110,
    }),
    used: f.count('已用', { width: 80 }),
    perMember: f.count('每人限领', { width: 90 }),
    claimable: f.flag('用户可领取', { width: 110 }),
    stacks: f.flag('叠加会员价', { width: 110, hidden: true }),
    scope: f.code('适用费用', whitelistScope, { width: 120, hidden: true }),
    funder: f.code('承担方', whitelistFunder, { width: 90 }),
    startsOn: f.day('开始日期', { width: 120 }),
    endsOn: f.day('结束日期', { width: 120 }),
    validDays: f.value('领取后有效', z.int().nullable(), (days) => (days === null ? '至结束日期' : `${days}天`), {
      width: 110,
    }),
    ...f.owner,
    createdBy: f.shown('申请人', { width: 120, object: { kind: 'staff', id: 'createdById' } }),
    createdAt: f.time('申请时间', { width: 180 }),
    decidedBy: f.shown('审核人', { optional: true, width: 100 }),
    decidedAt: f.time('审核时间', { optional: true, width: 180, hidden: true }),
    decision: f.shown('驳回原因', { optional: true, width: 180, hidden: true }),
    remark: f.shown('使用说明', { optional: true, width: 200, hidden: true }),
    createdById: f.data(z.string()),
    granted: f.data(z.int()),
    total: f.data(z.int()),
    own: f.data(z.boolean().describe('requested by the caller, who cannot decide on it')),
    ...value,
  },
  decided: [
    ['name', 'no'],
    ['kind', 'worth'],
    ['status'],
    ['given', 'used'],
    ['perMember', 'claimable'],
    ['funder'],
    ['startsOn', 'endsOn'],
    ['siteName', 'agentName'],
    ['createdBy', 'decidedBy'],
  ],
  filter: {
    own: { keyword: { title: '名称', schema: keyword.describe('beginning of a name') } },
    exact: ['kind', 'status'],
    owner: ['organise', 'agent', 'site'],
    days: 'createdAt',
  },
  exports: true,
})
export type Coupon = DataOf<typeof couponList.routes.list>['rows'][number]

/** Coupons lower the price of one charge. A second person approves each kind with its number, which is the budget. */
export const coupon = {
  ...couponList.routes,
  add: create('/seeker/api/coupon/save', '新增优惠券', {
    name: text(40, '名称'),
    kind: couponKind.wire,
    off: yuan.optional().describe('kind 满减'),
    from: yuan.optional().describe('kind 满减: the least amount of the charge; omit: any'),
    payPercent: whole(1, 99).optional().describe('kind 折扣: the part of the price that is paid'),
    max: yuan.optional().describe('kinds 折扣 and 免单: the most that it takes off'),
    freeMinutes: whole(1, 1440).optional().describe('kind 时长'),
    freeKwh: whole(1, 200).optional().describe('kind 电量'),
    scope: whitelistScope.wire,
    funder: whitelistFunder.wire,
    total: whole(1, couponMost.total),
    perMember: whole(1, couponMost.perMember),
    claimable: flag,
    stacks: flag.describe('whether it also lowers a bill that a price of the member lowers'),
    startsOn: date,
    endsOn: date,
    validDays: whole(1, couponMost.validDays).optional().describe('days from the day of the grant; omit: until endsOn'),
    organiseId: id.optional(),
    agentId: id.optional(),
    siteId: id.optional(),
    remark: text(200, '使用说明').optional(),
  }),
  approve: approve('/seeker/api/coupon/approve', '通过优惠券', { id }, { idempotent: true }),
  turnDown: approve('/seeker/api/coupon/turnDown', '驳回优惠券', { id, reason: text(200, '驳回原因') }),
  stop: changeMany('/seeker/api/coupon/stop', '停发优惠券', {}),
  /** Coupons given and used on each of the last 30 days. */
  days: read('/seeker/api/coupon/days', {
    query: row({ id }),
    data: z.array(row({ day: date, given: z.int(), used: z.int(), off: money })),
  }),
}
