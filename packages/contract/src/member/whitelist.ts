import { yuanText } from '@wattdeck/domain/money.ts'
import { energyText } from '@wattdeck/domain/tariff/labels.ts'
import { z } from 'zod'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import type { DataOf } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { date, id, personKeyword, phone, text, whole, yuan } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { whitelistFunder, whitelistRule, whitelistScope, whitelistStatus } from './whitelist-codes.ts'

type Rule = {
  rule: number
  offBp: number | null
  offFen: number | null
  payFen: number | null
  freeDwh: number | null
}
/** The value of a rule in one line: 八折 as 原价的 80%. */
export function ruleText({ rule, offBp, offFen, payFen, freeDwh }: Rule): string {
  if (rule === whitelistRule.code.discount) return `原价的 ${(10_000 - (offBp ?? 0)) / 100}%`
  if (rule === whitelistRule.code.reduction) return `每次减 ${yuanText(BigInt(offFen ?? 0))} 元`
  if (rule === whitelistRule.code.fixed) return `每次不超过 ${yuanText(BigInt(payFen ?? 0))} 元`
  return `每次免费 ${energyText(freeDwh ?? 0)} 度`
}
type Uses = { used: number; times: number | null; dayTimes: number }

const menu = menuKey.whitelist
const module = '白名单'
const { changeMany, create, approve } = screenRoutes({ menu, module })

export const whitelistList = defineList('/wechat/api/whitelist', {
  menu,
  module,
  fields: {
    name: f.shown('姓名', { width: 120 }),
    phone: f.phone('手机号', { width: 150 }),
    cardNo: f.person('卡号', 'cardNo', { optional: true, width: 130 }),
    status: f.code('状态', whitelistStatus, { width: 90 }),
    rule: f.code('优惠规则', whitelistRule, { width: 150 }),
    value: f.derived('优惠值', (row: Rule) => ruleText(row), { width: 160 }),
    uses: f.derived('已用/次数', ({ used, times }: Uses) => `${used}/${times ?? '不限'}`, { width: 100 }),
    daily: f.derived('每日次数', ({ dayTimes }: Uses) => `每日 ${dayTimes} 次`, { width: 100 }),
    scope: f.code('适用费用', whitelistScope, { width: 120, hidden: true }),
    funder: f.code('承担方', whitelistFunder, { width: 90 }),
    startsOn: f.day('开始日期', { width: 120 }),
    endsOn: f.day('结束日期', { width: 120 }),
    ...f.owner,
    createdBy: f.shown('申请人', { width: 130 }),
    createdAt: f.time('申请时间', { width: 180 }),
    decidedBy: f.shown('审核人', { optional: true, width: 100 }),
    decidedAt: f.time('审核时间', { optional: true, width: 180, hidden: true }),
    decision: f.shown('驳回原因', { optional: true, width: 180 }),
    remark: f.shown('备注', { optional: true, width: 200, hidden: true }),
    offBp: f.data(z.int().nullable()),
    offFen: f.data(z.int().nullable()),
    payFen: f.data(z.int().nullable()),
    freeDwh: f.data(z.int().nullable()),
    times: f.data(z.int().nullable()),
    dayTimes: f.data(z.int()),
    used: f.data(z.int()),
    own: f.data(z.boolean().describe('requested by the caller, who cannot decide on it')),
  },
  decided: [
    ['name'],
    ['phone', 'cardNo'],
    ['status', 'decision'],
    ['rule', 'value'],
    ['uses', 'daily'],
    ['funder'],
    ['startsOn', 'endsOn'],
    ['siteName', 'agentName'],
    ['createdBy', 'decidedBy'],
  ],
  filter: {
    own: {
      keyword: {
        title: '姓名/手机号/卡号',
        schema: personKeyword.describe('beginning of a name, complete phone number, or complete card number'),
      },
    },
    exact: ['rule', 'status'],
    owner: ['organise', 'agent', 'site'],
    days: 'createdAt',
  },
  exports: true,
})
export type WhitelistRow = DataOf<typeof whitelistList.routes.list>['rows'][number]

/** The printed number of a stored-value card. */
const cardNo = z
  .string()
  .trim()
  .regex(/^\d{4,20}$/, '请输入正确的卡号')

/** People who charge at a price of their own. A second person approves each entry, and each longer validity. */
export const whitelist = {
  ...whitelistList.routes,
  add: create('/wechat/api/whitelist/save', '加入白名单', {
    name: text(40, '姓名'),
    phone: phone.optional().describe('exactly one of phone and cardNo'),
    cardNo: cardNo.optional(),
    rule: whitelistRule.wire,
    payPercent: whole(1, 99).optional().describe('rule 折扣: the part of the price that is paid'),
    off: yuan.optional().describe('rule 立减'),
    pay: yuan.optional().describe('rule 固定价'),
    freeKwh: whole(1, 200).optional().describe('rules 免费 and 限次免费: free energy of one charge'),
    times: whole(1, 10_000).optional().describe('rule 限次免费'),
    dayTimes: whole(1, 50),
    scope: whitelistScope.wire,
    funder: whitelistFunder.wire,
    startsOn: date,
    endsOn: date,
    organiseId: id.optional(),
    agentId: id.optional(),
    siteId: id.optional(),
    remark: text(200, '备注').optional(),
  }),
  approve: approve('/wechat/api/whitelist/approve', '通过白名单', { id }, { idempotent: true }),
  turnDown: approve('/wechat/api/whitelist/turnDown', '驳回白名单', { id, reason: text(200, '驳回原因') }),
  stop: changeMany('/wechat/api/whitelist/stop', '停用白名单', {}),
  extend: changeMany('/wechat/api/whitelist/extend', '延期白名单', { endsOn: date }),
}
