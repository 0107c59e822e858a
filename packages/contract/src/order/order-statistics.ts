import { z } from 'zod'
import { exportList } from '../kit/bulk.ts'
import { page, PageQuery } from '../kit/page.ts'
import { get } from '../kit/route.ts'
import { id, money, row } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { statFields, statQuery } from './statistics.ts'

const figures = {
  orders: z.int().describe('charges that ended, billed or let go'),
  charges: z.int().describe('those that were billed'),
  visits: z.int().nullable().describe('of these, by known members; null for days before they were counted'),
  seconds: z.int(),
  energyDwh: z.int().describe('1/10000 kWh'),
  revenue: money.describe('of the bills: electricity, service and occupancy, also where a gift paid'),
  electricity: money,
  service: money,
  occupancy: money,
  gift: money.describe('of the bills, from money that was given'),
  paid: money.describe('of the bills, from money that was paid in'),
  refunded: money,
  average: money.nullable().describe('paid, for each charge; null without one'),
  usage: z
    .string()
    .nullable()
    .describe('percent of the time of the ports there are now; null without ports, or before the period begins'),
}

const OrderFigures = row(figures)
export type OrderFigures = z.infer<typeof OrderFigures>

/** What ended in a period. A charge counts in the hour in which it ended. */
export type OrderStatistics = z.infer<typeof OrderStatistics>
export const OrderStatistics = row({ ...statFields, ...figures })

export const orderStatisticsColumns = {
  period: '日期',
  ownerName: '归属',
  orders: '订单数',
  charges: '充电次数',
  visits: '人次',
  seconds: '充电时长（小时）',
  energyDwh: '电量（kWh）',
  revenue: '营收',
  electricity: '电费',
  service: '服务费',
  occupancy: '占位费',
  gift: '赠送金抵扣',
  paid: '实收',
  refunded: '退款',
  average: '客单价',
  usage: '端口使用率（%）',
} as const

const menu = menuKey.orderStatistics
const query = { ...statQuery, deviceTypeId: id.optional() }

export const orderStatistics = {
  /** Every period, the latest first, also those in which nothing happened; with 归属维度 every owner in each of them. */
  list: get('/seeker/api/orderStatistics/pageList', {
    access: { menu },
    query: PageQuery.extend(query),
    data: page(OrderStatistics),
  }),
  totals: get('/seeker/api/orderStatistics/totals', { access: { menu }, query: row(query), data: OrderFigures }),
  exportList: exportList('/seeker/api/orderStatistics/export', { menu, module: '订单统计' }),
}
