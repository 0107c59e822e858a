import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { exportList } from '../kit/bulk.ts'
import { page, PageQuery } from '../kit/page.ts'
import { get } from '../kit/route.ts'
import { id, money, row } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { statQuery } from '../order/statistics.ts'

/** 排名指标: the figure by which owners are ranked, highest first. */
export const customerRank = codes({
  revenue: { code: 1, label: '营收' },
  orders: { code: 2, label: '订单数' },
  energy: { code: 3, label: '电量' },
  service: { code: 4, label: '服务费' },
  refundRate: { code: 5, label: '退款率' },
  devices: { code: 6, label: '设备数' },
  onlineRate: { code: 7, label: '在线率' },
  usage: { code: 8, label: '端口使用率' },
  active: { code: 9, label: '活跃用户' },
  perDevice: { code: 10, label: '单台日均收入' },
})
export type CustomerRank = (typeof customerRank.options)[number]['value']

/** The longest period: in days, or in whole months. */
export const customerPeriods = { days: 31, months: 36 } as const

const percent = z.string().nullable()
/** The figures of one organisation, agent or site over the whole period. */
export type CustomerAnalysis = z.infer<typeof CustomerAnalysis>
export const CustomerAnalysis = row({
  id: z.string(),
  rank: z.int(),
  ownerName: z.string(),
  devices: z.int().describe('now'),
  onlineRate: percent.describe('percent of devices online now'),
  usage: percent.describe('percent of the port time of all current ports'),
  orders: z.int(),
  energyDwh: z.int(),
  revenue: money,
  service: money,
  refunded: money,
  refundRate: percent.describe('refunds in percent of the revenue'),
  active: z
    .int()
    .nullable()
    .describe('members who charged; null unless the period is one month without a device type filter'),
  previousChange: percent.describe('percent change of the revenue; a running period counts up to the last full hour'),
  lastYearChange: percent,
  perDevice: money.nullable().describe('revenue per current device and day'),
})

export const customerAnalysisColumns = {
  rank: '排名',
  ownerName: '机构/代理商',
  devices: '设备数',
  onlineRate: '在线率（%）',
  usage: '端口使用率（%）',
  orders: '订单数',
  energyDwh: '电量（kWh）',
  revenue: '营收',
  service: '服务费',
  refunded: '退款',
  refundRate: '退款率（%）',
  active: '活跃用户',
  previousChange: '营收环比（%）',
  lastYearChange: '营收同比（%）',
  perDevice: '单台日均收入',
} as const

const menu = menuKey.customerAnalysis

export const customerAnalysis = {
  /**
   * Includes owners without figures. Defaults: one month unless days are given; organisations for the platform, agents
   * for others.
   */
  list: get('/seeker/api/customerAnalysis/pageList', {
    access: { menu },
    query: PageQuery.extend({ ...statQuery, deviceTypeId: id.optional(), rank: customerRank.wire.optional() }),
    data: page(CustomerAnalysis),
  }),
  exportList: exportList('/seeker/api/customerAnalysis/export', { menu, module: '客户经营分析' }),
}
