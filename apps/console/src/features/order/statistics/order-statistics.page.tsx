import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import {
  type OrderFigures,
  type OrderStatistics,
  orderStatistics,
  orderStatisticsColumns,
} from '@wattdeck/contract/order/order-statistics.ts'
import { statPeriods } from '@wattdeck/contract/order/statistics.ts'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { useUser } from '../../../kit/api/user.ts'
import { useTypeFilter } from '../_shared/order-filters.ts'
import { fixed, kwhOf } from './statistics-cells.ts'
import { statFilters } from './statistics-filters.ts'
import { StatisticsPage } from './StatisticsPage.tsx'
import { titledColumns } from '../../../kit/crud/titled-columns.ts'

type Money = 'revenue' | 'electricity' | 'service' | 'occupancy' | 'discount' | 'gift' | 'paid' | 'refunded' | 'average'
const column = titledColumns<OrderStatistics>()(orderStatisticsColumns, { align: 'end' })
const money = (key: Money, width = 105) => column(key, width, (row) => cells.money(row[key]))
const usage = (of: OrderFigures) => (of.usage === null ? cells.dash : of.usage)

const visits = (of: OrderFigures) => (of.visits === null ? cells.dash : cells.count(of.visits))

const columns: Column<OrderStatistics>[] = [
  column('period', 115, (row) => row.period, { fixed: 'start' }),
  column('ownerName', 160, (row) => row.ownerName ?? '全部', { card: 'tag' }),
  column('orders', 90, (row) => cells.count(row.orders)),
  column('charges', 95, (row) => cells.count(row.charges)),
  column('visits', 85, visits),
  column('seconds', 145, (row) => fixed(row.seconds / 3600)),
  column('energyDwh', 125, (row) => fixed(kwhOf(row.energyDwh))),
  money('revenue', 115),
  money('electricity'),
  money('service'),
  money('occupancy', 90),
  money('discount', 90),
  money('gift', 90),
  money('paid', 115),
  money('refunded', 90),
  money('average', 90),
  column('usage', 145, usage),
]

const totals = [
  { label: '订单数', render: (of: OrderFigures) => cells.count(of.orders) },
  { label: '充电次数', render: (of: OrderFigures) => cells.count(of.charges) },
  { label: '人次', render: visits },
  { label: '时长（小时）', render: (of: OrderFigures) => fixed(of.seconds / 3600) },
  { label: '电量（kWh）', render: (of: OrderFigures) => fixed(kwhOf(of.energyDwh)) },
  { label: '营收', render: (of: OrderFigures) => cells.money(of.revenue) },
  { label: '电费', render: (of: OrderFigures) => cells.money(of.electricity) },
  { label: '服务费', render: (of: OrderFigures) => cells.money(of.service) },
  { label: '占位费', render: (of: OrderFigures) => cells.money(of.occupancy) },
  { label: '优惠', render: (of: OrderFigures) => cells.money(of.discount) },
  { label: '赠送金抵扣', render: (of: OrderFigures) => cells.money(of.gift) },
  { label: '实收', render: (of: OrderFigures) => cells.money(of.paid) },
  { label: '退款', render: (of: OrderFigures) => cells.money(of.refunded) },
  { label: '客单价', render: (of: OrderFigures) => cells.money(of.average) },
  { label: '端口使用率（%）', render: usage },
]

const yuan = (key: Exclude<Money, 'average'>, label: string) => ({
  key,
  label,
  unit: '元',
  valueOf: (row: OrderStatistics) => Number(row[key]),
})
const measures = [
  yuan('revenue', '营收'),
  yuan('paid', '实收'),
  yuan('electricity', '电费'),
  yuan('service', '服务费'),
  yuan('gift', '赠送金抵扣'),
  yuan('refunded', '退款'),
  { key: 'energy', label: '电量', unit: 'kWh', valueOf: (row: OrderStatistics) => kwhOf(row.energyDwh) },
  { key: 'hours', label: '时长', unit: '小时', valueOf: (row: OrderStatistics) => Math.round(row.seconds / 36) / 100 },
]
const line = { key: 'orders', label: '订单数', unit: '单', valueOf: (row: OrderStatistics) => row.orders }
const note = `按充电结束日期统计，未选择时间时为最近 ${statPeriods[1].usual} 天或 ${statPeriods[2].usual} 个月；人次为已知会员的充电次数`

export default function OrderStatisticsPage() {
  const user = useUser()
  const types = useTypeFilter()
  return (
    <StatisticsPage
      title="订单统计"
      note={note}
      listKey="order-statistics"
      route={orderStatistics.list}
      totalsRoute={orderStatistics.totals}
      totals={totals}
      measures={measures}
      line={line}
      columns={columns}
      filters={statFilters<QueryOf<typeof orderStatistics.list>>(user, [types])}
      exporting={{ route: orderStatistics.exportList, keys: Object.keys(orderStatisticsColumns) }}
    />
  )
}
