import { z } from 'zod'
import { exportList } from '../kit/bulk.ts'
import { page, PageQuery } from '../kit/page.ts'
import { get } from '../kit/route.ts'
import { id, money, row } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { statFields, statQuery } from './statistics.ts'

const figures = {
  orders: z.int().describe('ended charges, billed or released'),
  charges: z.int().describe('billed charges'),
  visits: z.int().nullable().describe('of these, by known members; null for days before counting began'),
  seconds: z.int(),
  energyDwh: z.int().describe('1/10000 kWh'),
  revenue: money.describe('billed electricity, service and occupancy, including parts paid by gift money'),
  electricity: money,
  service: money,
  occupancy: money,
  discount: money.describe('what lowered the bills: member prices, coupons and passes'),
  gift: money.describe('part of the bills paid from gift money'),
  paid: money.describe('part of the bills paid from recharged money'),
  refunded: money,
  average: money.nullable().describe('paid per billed charge; null without one'),
  usage: z
    .string()
    .nullable()
    .describe('percent of the port time of all current ports; null without ports, or before the period begins'),
}

const OrderFigures = row(figures)
export type OrderFigures = z.infer<typeof OrderFigures>

/** Figures of a period. A charge counts in the hour of its end. */
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
  discount: '优惠',
  gift: '赠送金抵扣',
  paid: '实收',
  refunded: '退款',
  average: '客单价',
  usage: '端口使用率（%）',
} as const

const menu = menuKey.orderStatistics
const query = { ...statQuery, deviceTypeId: id.optional() }

export const orderStatistics = {
  /** Every period, latest first, including empty ones; with 归属维度 one row for each owner. */
  list: get('/seeker/api/orderStatistics/pageList', {
    access: { menu },
    query: PageQuery.extend(query),
    data: page(OrderStatistics),
  }),
  totals: get('/seeker/api/orderStatistics/totals', { access: { menu }, query: row(query), data: OrderFigures }),
  exportList: exportList('/seeker/api/orderStatistics/export', { menu, module: '订单统计' }),
}
