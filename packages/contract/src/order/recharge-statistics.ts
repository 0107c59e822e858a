import { z } from 'zod'
import { exportList } from '../kit/bulk.ts'
import { page, PageQuery } from '../kit/page.ts'
import { get } from '../kit/route.ts'
import { money, row } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { statFields, statQuery } from './statistics.ts'

/**
 * Distinct counts of persons and payment methods cannot be added up. They are limited to this many days of one
 * organisation.
 */
export const countedDays = 31

const figures = {
  recharges: z.int(),
  amount: money,
  gift: money,
  refunds: z.int(),
  refunded: money.describe('refunds completed in the period, of recharges of any day'),
  net: money.describe('amount minus refunded'),
}

const RechargeFigures = row(figures)
export type RechargeFigures = z.infer<typeof RechargeFigures>

export type RechargeStatistics = z.infer<typeof RechargeStatistics>
export const RechargeStatistics = row({
  ...statFields,
  ...figures,
  people: z.int().nullable().describe('distinct members and cards; null: not counted'),
  wechat: money.nullable().describe('part of the amount paid by WeChat; null: not counted'),
  alipay: money.nullable(),
  offline: money.nullable().describe('part of the amount taken at the desk'),
})

export const rechargeStatisticsColumns = {
  period: '日期',
  ownerName: '归属',
  recharges: '笔数',
  people: '人数',
  amount: '充值金额',
  gift: '赠送',
  refunds: '退款笔数',
  refunded: '退款',
  net: '净充值',
  wechat: '微信支付',
  alipay: '支付宝',
  offline: '线下充值',
} as const

const menu = menuKey.rechargeStatistics

export const rechargeStatistics = {
  /** Like the list of order statistics. A recharge counts in the hour of its payment. */
  list: get('/seeker/api/rechargeStatistics/pageList', {
    access: { menu },
    query: PageQuery.extend(statQuery),
    data: page(RechargeStatistics),
  }),
  totals: get('/seeker/api/rechargeStatistics/totals', {
    access: { menu },
    query: row(statQuery),
    data: RechargeFigures,
  }),
  exportList: exportList('/seeker/api/rechargeStatistics/export', { menu, module: '充值统计' }),
}
