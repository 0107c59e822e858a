import type { analysis, AnalysisShare, Cohort, HeatCell, TrendPoint } from '@wattdeck/contract/dashboard/analysis.ts'
import type { DataOf } from '@wattdeck/contract/kit/route.ts'
import type { ChartTable } from '../../../kit/charts/chart-csv.ts'

const kwhOf = (energyDwh: number) => energyDwh / 10_000
const hoursOf = (seconds: number) => (seconds / 3600).toFixed(2)
export const weekdays = ['周一', '周二', '周三', '周四', '周五', '周六', '周日']

export type Measure = 'revenue' | 'orders' | 'energy'
export const measures = [
  { value: 'revenue', label: '营收', unit: '元' },
  { value: 'orders', label: '订单数', unit: '单' },
  { value: 'energy', label: '电量', unit: 'kWh' },
] as const
type Amounts = { revenue: string; orders: number; energyDwh: number }
export const amountOf = (row: Amounts, measure: Measure) =>
  measure === 'revenue' ? Number(row.revenue) : measure === 'orders' ? row.orders : kwhOf(row.energyDwh)
export const percentText = (part: number, whole: number) => (whole === 0 ? null : ((100 * part) / whole).toFixed(1))

export const trendTable = (rows: readonly TrendPoint[]): ChartTable => ({
  head: [
    '时间',
    '营收',
    '订单数',
    '电量（kWh）',
    '服务费',
    '退款',
    '新增会员',
    '上期',
    '上期营收',
    '上期订单数',
    '上期电量（kWh）',
  ],
  rows: rows.map(({ period, revenue, orders, energyDwh, service, refunded, members, before }) => [
    period,
    revenue,
    orders,
    kwhOf(energyDwh),
    service,
    refunded,
    members,
    before?.period ?? null,
    before?.revenue ?? null,
    before?.orders ?? null,
    before === null ? null : kwhOf(before.energyDwh),
  ]),
})

export function shareTable(name: string, rows: readonly AnalysisShare[]): ChartTable {
  return {
    head: [name, '营收', '订单数', '电量（kWh）'],
    rows: rows.map((row) => [row.name, row.revenue, row.orders, kwhOf(row.energyDwh)]),
  }
}

export const heatTable = (cells: readonly HeatCell[]): ChartTable => ({
  head: ['时段', '星期', '小时', '订单数', '电量（kWh）'],
  rows: cells.map(({ weekday, hour, orders, energyDwh }) => {
    const day = weekdays[weekday - 1] ?? ''
    return [`${day} ${hour} 时`, day, hour, orders, kwhOf(energyDwh)]
  }),
})

export function cohortTable(rows: readonly Cohort[]): ChartTable {
  const most = rows.reduce((top, { active }) => Math.max(top, active.length), 0)
  const after = Array.from({ length: most }, (_, place) => place)
  return {
    head: ['注册月份', '新增会员', ...after.flatMap((place) => [`第${place}月人数`, `第${place}月留存（%）`])],
    rows: rows.map(({ cohort, members, active }) => [
      cohort,
      members,
      ...after.flatMap((place) => {
        const count = active[place]
        return count === undefined ? [null, null] : [count, percentText(count, members)]
      }),
    ]),
  }
}

export const usageTable = ({ rows }: DataOf<typeof analysis.usage>): ChartTable => ({
  head: ['时间', '充电时长（小时）', '端口时长（小时）', '端口使用率（%）'],
  rows: rows.map((row) => [row.period, hoursOf(row.seconds), hoursOf(row.portSeconds), row.usage]),
})

export const downtimeTable = ({ rows }: DataOf<typeof analysis.downtime>): ChartTable => ({
  head: ['时间', '离线（端口小时）', '故障（端口小时）'],
  rows: rows.map((row) => [row.period, hoursOf(row.offlinePortS), hoursOf(row.faultPortS)]),
})
