import {
  countedDays,
  type RechargeFigures,
  type RechargeStatistics,
  rechargeStatistics,
  rechargeStatisticsColumns,
} from '@wattdeck/contract/order/recharge-statistics.ts'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { useUser } from '../../../kit/api/user.ts'
import { statFilters } from './statistics-filters.ts'
import { StatisticsPage } from './StatisticsPage.tsx'
import { titledColumns } from '../../../kit/crud/titled-columns.ts'

type Money = 'amount' | 'gift' | 'refunded' | 'net' | 'wechat' | 'alipay' | 'offline'
const column = titledColumns<RechargeStatistics>()(rechargeStatisticsColumns, { align: 'end' })
const money = (key: Money) => column(key, 115, (row) => cells.money(row[key]))

const columns: Column<RechargeStatistics>[] = [
  column('period', 115, (row) => row.period, { fixed: 'start' }),
  column('ownerName', 160, (row) => row.ownerName ?? '全部', { card: 'tag' }),
  column('recharges', 90, (row) => cells.count(row.recharges)),
  column('people', 90, (row) => (row.people === null ? cells.dash : cells.count(row.people))),
  money('amount'),
  money('gift'),
  column('refunds', 90, (row) => cells.count(row.refunds)),
  money('refunded'),
  money('net'),
  money('wechat'),
  money('alipay'),
  money('offline'),
]

const totals = [
  { label: '笔数', render: (of: RechargeFigures) => cells.count(of.recharges) },
  { label: '充值金额', render: (of: RechargeFigures) => cells.money(of.amount) },
  { label: '赠送', render: (of: RechargeFigures) => cells.money(of.gift) },
  { label: '退款笔数', render: (of: RechargeFigures) => cells.count(of.refunds) },
  { label: '退款', render: (of: RechargeFigures) => cells.money(of.refunded) },
  { label: '净充值', render: (of: RechargeFigures) => cells.money(of.net) },
]

const yuan = (key: 'amount' | 'net' | 'gift' | 'refunded', label: string) => ({
  key,
  label,
  unit: '元',
  valueOf: (row: RechargeStatistics) => Number(row[key]),
})
const measures = [yuan('amount', '充值金额'), yuan('net', '净充值'), yuan('gift', '赠送'), yuan('refunded', '退款')]
const line = { key: 'recharges', label: '笔数', unit: '笔', valueOf: (row: RechargeStatistics) => row.recharges }
const note = `充值计入支付成功的日期，退款计入到账的日期；人数和支付方式仅在选定机构或按归属统计、且本页不超过 ${countedDays} 天时显示，按月查询时请只选一个月`

export default function RechargeStatisticsPage() {
  const user = useUser()
  return (
    <StatisticsPage
      title="充值统计"
      note={note}
      listKey="recharge-statistics"
      route={rechargeStatistics.list}
      totalsRoute={rechargeStatistics.totals}
      totals={totals}
      measures={measures}
      line={line}
      columns={columns}
      filters={statFilters(user)}
      exporting={{ route: rechargeStatistics.exportList, keys: Object.keys(rechargeStatisticsColumns) }}
    />
  )
}
