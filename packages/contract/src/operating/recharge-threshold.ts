import { parseYuan } from '@wattdeck/domain/money.ts'
import { type PlanTier, planMost, tiersProblem, tierText } from '@wattdeck/domain/recharge-plan.ts'
import { z } from 'zod'
import { enabledStatus } from '../common.ts'
import { codes } from '../kit/codes.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import type { DataOf } from '../kit/route.ts'
import { created, screenRoutes } from '../kit/screen-routes.ts'
import { date, id, money, row } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { ownerIds } from '../system/ownership.ts'

/** Whom a plan applies to. A member has the plan of the nearest place: site, agent, agents above it, organisation. */
export const planLevel = codes({
  organise: { code: 1, label: '机构' },
  agent: { code: 2, label: '代理商' },
  site: { code: 3, label: '站点' },
})

/** Whether an enabled plan applies today. */
export const planPhase = codes({
  ahead: { code: 1, label: '未开始', tone: 'book' },
  current: { code: 2, label: '生效中', tone: 'ok' },
  over: { code: 3, label: '已结束', tone: 'off' },
  off: { code: 4, label: '未启用', tone: 'off' },
})

const fenOf = (yuan: string) => parseYuan(yuan) ?? 0n
/** The tiers of a form or a row in fen. */
export const tiersInFen = (tiers: readonly { pay: string; gift: string }[]): PlanTier[] =>
  tiers.map(({ pay, gift }) => ({ payFen: fenOf(pay), giftFen: fenOf(gift) }))
export const tiersText = (tiers: readonly { pay: string; gift: string }[]) => tiersInFen(tiers).map(tierText).join('、')
export const validText = (days: number | null) => (days === null ? '长期有效' : `${days}天`)
type Period = { startsOn: string; endsOn: string | null }
export const periodText = ({ startsOn, endsOn }: Period) => `${startsOn} 至 ${endsOn ?? '长期'}`

const menu = menuKey.rechargeThreshold
const module = '充值门槛'

export const planList = defineList('/seeker/api/rechargeThreshold', {
  menu,
  module,
  fields: {
    place: f.shown('归属', { width: 170 }),
    level: f.code('适用范围', planLevel, { width: 90 }),
    status: f.code('状态', enabledStatus, { width: 80 }),
    phase: f.code('进度', planPhase, { width: 90 }),
    min: f.money('最低充值', { width: 170 }),
    allowsCustom: f.flag('自定义金额', { width: 110 }),
    tiers: f.value('档位', z.array(row({ pay: money, gift: money })), tiersText, { width: 220 }),
    giftValidDays: f.value('赠送有效期', z.int().nullable(), validText, { width: 110 }),
    period: f.derived('生效期', periodText as (plan: never) => string, { width: 130 }),
    updatedBy: f.shown('更新人', { optional: true, width: 110 }),
    updatedAt: f.time('更新时间', { width: 180 }),
    createdBy: f.audit.createdBy,
    createdAt: f.audit.createdAt,
    startsOn: f.data(date),
    endsOn: f.data(date.nullable()),
    used: f.data(z.boolean().describe('a recharge was made by the plan, which is therefore kept')),
    ...f.owner,
    agentId: f.ownerIds.agentId,
  },
  decided: [
    ['place', 'level'],
    ['status', 'phase'],
    ['min', 'allowsCustom'],
    ['tiers'],
    ['giftValidDays'],
    ['period'],
    ['updatedBy', 'updatedAt'],
  ],
  filter: { owner: ['organise', 'agent', 'site'], exact: ['status'] },
  exports: true,
})
export type RechargePlan = DataOf<typeof planList.routes.list>['rows'][number]

/** Amounts are decimal text, because the body is JSON. */
const amount = (label: string) =>
  z
    .string({ error: `请输入${label}` })
    .refine((value) => parseYuan(value) !== undefined, `请输入正确的${label}（0.01-9999999.99之间，最多两位小数）`)
const gift = z
  .string({ error: '请输入赠送金额' })
  .refine(
    (value) => /^0(\.0{1,2})?$/.test(value) || parseYuan(value) !== undefined,
    '请输入正确的赠送金额，没有赠送填0',
  )

const content = {
  min: amount('最低充值'),
  allowsCustom: z.boolean(),
  tiers: z
    .array(row({ pay: amount('充值金额'), gift }))
    .max(planMost.tiers, `档位不能超过${planMost.tiers}个`)
    .superRefine((tiers, context) => {
      const problem = tiersProblem(tiersInFen(tiers))
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem })
    }),
  giftValidDays: z
    .int('请输入整数')
    .min(1, '赠送有效期至少1天')
    .max(planMost.validDays, `赠送有效期不能超过${planMost.validDays}天`)
    .optional()
    .describe('omit: a gift never expires'),
  startsOn: date,
  endsOn: date.optional().describe('omit: until it is disabled'),
}
const { change, remove } = screenRoutes({ menu, module })

/** What a member may recharge and which gift is added, by place. */
export const rechargeThreshold = {
  ...planList.routes,
  add: change(
    '/seeker/api/rechargeThreshold/save',
    '新增充值门槛',
    { ...content, ...ownerIds },
    {
      action: 'add',
      idempotent: true,
      encoding: 'json',
      data: created,
    },
  ),
  /** The place of a plan stays. Recharges in progress keep their offer. */
  edit: change('/seeker/api/rechargeThreshold/update', '编辑充值门槛', { id, ...content }, { encoding: 'json' }),
  toggle: change('/seeker/api/rechargeThreshold/toggle', '启停充值门槛', { id, status: enabledStatus.wire }),
  remove: remove('/seeker/api/rechargeThreshold/delete', '删除充值门槛'),
}
