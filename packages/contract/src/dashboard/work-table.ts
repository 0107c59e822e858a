import { z } from 'zod'
import { basicServiceStatus } from '../common.ts'
import { codes } from '../kit/codes.ts'
import { get } from '../kit/route.ts'
import { money, row, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { statSpan } from '../order/statistics.ts'
import { plugStatus } from '../product/device-codes.ts'
import { ownerIds } from '../system/ownership.ts'

/** The figure of a card. */
export const figureName = codes({
  revenue: { code: 'revenue', label: '营收' },
  orders: { code: 'orders', label: '订单' },
  energy: { code: 'energy', label: '电量' },
  members: { code: 'members', label: '新增会员' },
  online: { code: 'online', label: '在线设备' },
  faults: { code: 'faults', label: '故障端口' },
  income: { code: 'income', label: '累计收入' },
  recharges: { code: 'recharges', label: '充值' },
  installs: { code: 'installs', label: '待安装设备' },
  tickets: { code: 'tickets', label: '待维修工单' },
})
export type FigureName = keyof typeof figureName.code

export const ordersSeen = [menuKey.consumeOrder, menuKey.completedOrder, menuKey.orderStatistics] as const
const membersSeen = [menuKey.wechatUser, menuKey.miniUser] as const
const devicesSeen = [menuKey.deviceManage] as const

/** A card also requires one of these menus, so it shows only data that its user can open elsewhere. */
export const figureMenus: Readonly<Record<FigureName, readonly string[]>> = {
  revenue: ordersSeen,
  orders: ordersSeen,
  energy: ordersSeen,
  members: membersSeen,
  online: devicesSeen,
  faults: devicesSeen,
  income: [menuKey.accountDetail],
  recharges: [menuKey.rechargeRecord, menuKey.rechargeStatistics],
  installs: [menuKey.deviceScan],
  tickets: [menuKey.repairTicket],
}
export const trendMenus: readonly string[] = [...ordersSeen]
export const deviceMenus: readonly string[] = devicesSeen

export type WorkTable = z.infer<typeof WorkTable>
export const WorkTable = row({ organiseName: z.string(), basicServiceStatus: basicServiceStatus.schema })

/** Money in yuan, energy in 1/10000 kWh, otherwise a count. */
const amount = z.string().regex(/^-?\d{1,18}(\.\d\d)?$/)

export type Figure = z.infer<typeof Figure>
export const Figure = row({
  value: amount,
  of: amount.nullable().describe('total that the value is part of; null without one'),
  parts: z.array(row({ label: z.string(), value: amount })).describe('components of the value, or related values'),
  compared: row({
    upto: time.describe('last full hour; both start with their day or month and end here'),
    now: amount,
    before: amount.describe('previous day or month'),
  })
    .nullable()
    .describe('null for current figures, or before anything comparable has passed'),
  days: row({ from: z.string(), to: z.string() })
    .nullable()
    .describe('days covered by the value; null for current figures'),
  whose: z.string().nullable().describe('organisation of the income'),
})

export type TrendPoint = z.infer<typeof TrendPoint>
export const TrendPoint = row({
  period: z.string().describe('a day, YYYY-MM-DD, or a month, YYYY-MM'),
  revenue: money,
  orders: z.int(),
})
/** The number of periods in the trend, by span. */
export const trendPeriods = { 1: 14, 2: 12 } as const

export type PlugCounts = z.infer<typeof PlugCounts>
export const PlugCounts = row({
  ports: z.int(),
  offline: z.int().describe('of these, ports of offline devices; their status is the last one reported'),
  byStatus: z.array(row({ status: plugStatus.schema, count: z.int() })),
})

export type TypeCount = z.infer<typeof TypeCount>
export const TypeCount = row({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  devices: z.int(),
  online: z.int(),
})
/** Models with a separate tag, regardless of the number of their devices. */
export const taggedTypes: readonly string[] = ['02-02-02', '02-05-02', '04-01-05']
/** The number of device types shown, largest first; the rest is shown as a count. */
export const typesShown = 8

/** Kinds of to-do items. */
export const toDoKind = codes({
  refundOrder: { code: 'refundOrder', label: '待审批的订单退款' },
  rechargeRefund: { code: 'rechargeRefund', label: '待处理的充值退款' },
  enterpriseRefund: { code: 'enterpriseRefund', label: '待处理的企业退款' },
  balanceAdjustment: { code: 'balanceAdjustment', label: '待审批的余额调整' },
  offlineRecharge: { code: 'offlineRecharge', label: '待审核的线下充值' },
  cardReplacement: { code: 'cardReplacement', label: '待审核的补卡' },
  orderReview: { code: 'orderReview', label: '待复核的订单' },
  reconciliation: { code: 'reconciliation', label: '待处理的对账差异' },
  repairTicket: { code: 'repairTicket', label: '待维修的工单' },
  install: { code: 'install', label: '待安装的设备' },
  offline: { code: 'offline', label: '离线告警' },
  alarm: { code: 'alarm', label: '故障告警' },
  serviceEnded: { code: 'serviceEnded', label: '服务已到期的设备' },
  serviceEnding: { code: 'serviceEnding', label: '服务即将到期的设备' },
  lockedAccount: { code: 'lockedAccount', label: '已锁定的账号' },
  oldPassword: { code: 'oldPassword', label: '超过90天未修改密码的账号' },
})

export type ToDo = z.infer<typeof ToDo>
export const ToDo = row({
  kind: toDoKind.schema,
  count: z.int(),
  more: z.boolean().describe('the actual number exceeds count'),
  route: z.string().describe('path of the list'),
  rows: z
    .array(row({ id: z.string(), title: z.string(), at: time.nullable(), route: z.string() }))
    .describe('items that have waited longest, each with its page'),
})
/** Counts stop here; a larger number is not useful. */
export const toDoMost = 999

export type Login = z.infer<typeof Login>
export const Login = row({ at: time, ip: z.string().nullable(), does: z.string(), success: z.boolean() })

const access = { menu: menuKey.workTable }
const spanned = { span: statSpan.wire.optional().describe('day by default'), ...ownerIds }

/** Each card has its own call, so one failure does not affect the others. */
export const workTable = {
  read: get('/seeker/api/workTable', { access, data: WorkTable }),
  figure: get('/seeker/api/workTable/figure/{name}', {
    access,
    params: row({ name: figureName.wire }),
    query: row(spanned),
    data: Figure,
  }),
  trend: get('/seeker/api/workTable/trend', { access, query: row(spanned), data: z.array(TrendPoint) }),
  plugs: get('/seeker/api/workTable/plugs', { access, query: row(ownerIds), data: PlugCounts }),
  types: get('/seeker/api/workTable/types', {
    access,
    query: row(ownerIds),
    data: row({
      tags: z.array(TypeCount).describe('tagged types that exist in the catalogue'),
      rows: z.array(TypeCount),
      others: z.int().describe('devices of types that are not shown'),
    }),
  }),
  /** Covers everything the user may see, independent of the owner selected for the figures. */
  toDo: get('/seeker/api/workTable/toDo', { access, data: z.array(ToDo) }),
  logins: get('/seeker/api/workTable/logins', { access, data: z.array(Login) }),
}
