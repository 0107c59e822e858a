import { z } from 'zod'
import { exportList } from '../kit/bulk.ts'
import { page, PageQuery } from '../kit/page.ts'
import { get } from '../kit/route.ts'
import { money, row } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { statFields, statQuery } from './statistics.ts'

/** Different people and ways of paying are no sums: they are counted over so many days at most, of one organisation. */
export const countedDays = 31

const figures = {
  recharges: z.int(),
  amount: money,
  gift: money,
  refunds: z.int(),
  refunded: money.describe('what arrived back in the period, of recharges of any day'),
  net: money.describe('recharged without what arrived back'),
}

const RechargeFigures = row(figures)
export type RechargeFigures = z.infer<typeof RechargeFigures>

export type RechargeStatistics = z.infer<typeof RechargeStatistics>
export const RechargeStatistics = row({
  ...statFields,
  ...figures,
  people: z.int().nullable().describe('different members and cards; null: not counted'),
  wechat: money.nullable().describe('of the amount, paid by WeChat; null: not counted'),
  alipay: money.nullable(),
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
} as const

const menu = menuKey.rechargeStatistics

export const rechargeStatistics = {
  /** As the list of order statistics. A recharge counts in the hour in which it was paid. */
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
