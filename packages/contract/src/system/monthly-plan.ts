import { passMost } from '@wattdeck/domain/monthly-pass.ts'
import { energyText } from '@wattdeck/domain/tariff/labels.ts'
import { z } from 'zod'
import { enabledStatus } from '../common.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import type { DataOf } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { decimal, id, idList, money, row, text, time, whole, yuan } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { planReach, planUnit } from './monthly-plan-codes.ts'
import { ownerIds } from './ownership.ts'

type Use = { useMinutes: number | null; useDwh: number | null }
/** What one use covers: 240 分钟, 1.50 度. */
export const quotaText = ({ useMinutes, useDwh }: Use): string =>
  useMinutes === null ? `${energyText(useDwh ?? 0)} 度` : `${useMinutes} 分钟`

type Times = { dayTimes: number; monthTimes: number | null }
export const timesText = ({ dayTimes, monthTimes }: Times): string =>
  `每日${dayTimes}次${monthTimes === null ? '' : `，每月${monthTimes}次`}`

type Reach = { siteNames: string[] | null }
export const reachText = ({ siteNames }: Reach): string =>
  siteNames === null ? '归属下全部站点' : `${siteNames.length} 个站点：${siteNames.join('、')}`

const menu = menuKey.monthlyPlan
const module = '包月方案管理'
const { change, create, read, remove } = screenRoutes({ menu, module })

export const monthlyPlanList = defineList('/seeker/api/monthlyPlan', {
  menu,
  module,
  fields: {
    name: f.shown('方案名称', { width: 160 }),
    status: f.code('状态', enabledStatus, { width: 80 }),
    price: f.money('价格', { width: 100 }),
    days: f.count('有效天数', { width: 90, unit: '天' }),
    use: f.derived('单次额度', (plan: Use) => quotaText(plan), { width: 110 }),
    times: f.derived('次数', (plan: Times) => timesText(plan), { width: 170 }),
    reach: f.derived('适用站点', (plan: Reach) => reachText(plan), { width: 150 }),
    sold: f.count('销量', { width: 80 }),
    valid: f.count('生效中', { width: 90, about: 'passes of this plan that are valid today' }),
    no: f.count('版本', { width: 70 }),
    ...f.owner,
    remark: f.shown('备注', { optional: true, width: 180, hidden: true }),
    updatedBy: f.shown('更新人', { optional: true, width: 110 }),
    updatedAt: f.time('更新时间', { width: 170 }),
    createdBy: f.audit.createdBy,
    createdAt: f.audit.createdAt,
    useMinutes: f.data(z.int().nullable()),
    useDwh: f.data(z.int().nullable()),
    dayTimes: f.data(z.int()),
    monthTimes: f.data(z.int().nullable()),
    siteIds: f.data(z.array(z.string()).nullable()),
    siteNames: f.data(z.array(z.string()).nullable().describe('null: every site of the owner')),
    used: f.data(z.boolean().describe('a member asked for it, so it is kept')),
    agentId: f.ownerIds.agentId,
  },
  decided: [
    ['name', 'no'],
    ['status'],
    ['price', 'days'],
    ['use', 'times'],
    ['reach'],
    ['sold', 'valid'],
    ['siteName', 'agentName'],
    ['updatedBy', 'updatedAt'],
  ],
  filter: {
    keyword: { label: '方案名称', contains: ['name'] },
    exact: ['status'],
    owner: ['organise', 'agent', 'site'],
  },
  exports: true,
})
export type MonthlyPlan = DataOf<typeof monthlyPlanList.routes.list>['rows'][number]

const content = {
  name: text(40, '方案名称'),
  price: yuan,
  days: whole(1, passMost.days),
  unit: planUnit.wire,
  minutes: whole(1, passMost.minutes).optional().describe('unit 按时长: covered minutes of a use'),
  kwh: decimal(0.1, passMost.kwh, 1, '电量').optional().describe('unit 按电量: covered energy of a use'),
  dayTimes: whole(1, passMost.dayTimes),
  monthTimes: whole(1, passMost.monthTimes).optional().describe('in a calendar month; omit: no limit'),
  reach: planReach.wire,
  siteIds: idList(passMost.sites).optional().describe('reach 指定站点'),
  remark: text(200, '备注').optional(),
}

/** Plans of monthly passes. A change of their terms is a new version; passes keep the version that was bought. */
export const monthlyPlan = {
  ...monthlyPlanList.routes,
  add: create('/seeker/api/monthlyPlan/save', '新增包月方案', { ...content, ...ownerIds }),
  /** The owner of a plan stays. */
  edit: change('/seeker/api/monthlyPlan/update', '编辑包月方案', { id, ...content }),
  toggle: change('/seeker/api/monthlyPlan/toggle', '启停包月方案', { id, status: enabledStatus.wire }),
  remove: remove('/seeker/api/monthlyPlan/delete', '删除包月方案'),
  versions: read('/seeker/api/monthlyPlan/versions/{id}', {
    params: row({ id }),
    data: row({
      rows: z.array(
        row({
          id: z.string(),
          no: z.int(),
          name: z.string(),
          price: money,
          days: z.int(),
          use: z.string(),
          times: z.string(),
          reach: z.string(),
          sold: z.int(),
          createdBy: z.string().nullable(),
          createdAt: time,
        }),
      ),
    }),
  }),
}
