import {
  type CustomerAnalysis,
  customerAnalysis,
  customerAnalysisColumns,
  customerPeriods,
  customerRank,
} from '@wattdeck/contract/accounting/customer-analysis.ts'
import { analysis } from '@wattdeck/contract/dashboard/analysis.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { statBy, statSpan } from '@wattdeck/contract/order/statistics.ts'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import type { Filter } from '../../../kit/list/filters.ts'
import { useListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { maySelect } from '../../../kit/owner-region/owner.ts'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { useUser } from '../../../kit/api/user.ts'
import { CustomerChart } from './CustomerChart.tsx'
import { titledColumns } from '../../../kit/crud/titled-columns.ts'
import './customer-analysis.css'

type Query = QueryOf<typeof customerAnalysis.list>
const column = titledColumns<CustomerAnalysis>()(customerAnalysisColumns, { align: 'end' })
const kwh = new Intl.NumberFormat('zh-CN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

const change = (value: string | null) => {
  if (value === null) return cells.dash
  const down = value.startsWith('-')
  return <span data-change={down ? 'down' : 'up'}>{`${down ? '▼' : '▲'}${value.replace('-', '')}`}</span>
}

const columns: Column<CustomerAnalysis>[] = [
  column('ownerName', 200, (row) => row.ownerName, { fixed: 'start' }),
  column('rank', 70, (row) => row.rank, { card: 'tag', align: 'end' }),
  column('devices', 85, (row) => cells.count(row.devices)),
  column('onlineRate', 110, (row) => cells.text(row.onlineRate)),
  column('usage', 140, (row) => cells.text(row.usage)),
  column('orders', 90, (row) => cells.count(row.orders)),
  column('energyDwh', 120, (row) => kwh.format(row.energyDwh / 10_000)),
  column('revenue', 115, (row) => cells.money(row.revenue)),
  column('service', 105, (row) => cells.money(row.service)),
  column('refunded', 95, (row) => cells.money(row.refunded)),
  column('refundRate', 110, (row) => cells.text(row.refundRate)),
  column('active', 95, (row) => (row.active === null ? cells.dash : cells.count(row.active))),
  column('previousChange', 130, (row) => change(row.previousChange)),
  column('lastYearChange', 130, (row) => change(row.lastYearChange)),
  column('perDevice', 110, (row) => cells.money(row.perDevice)),
]

const note = `默认按月、为本月；按日最多 ${customerPeriods.days} 天。设备、在线率与端口按当前计算，活跃用户仅在选择单个月份且不选设备类型时统计；尚未结束的时间段，环比与同比截至上一个整点`

export default function CustomerAnalysisPage() {
  const user = useUser()
  const state = useListState(customerAnalysis.list)
  const types = useDetail(analysis.deviceTypes).data ?? []
  const by = statBy.options.filter(({ value }) =>
    value === statBy.code.organise ? maySelect(user, 'organise') : user !== undefined && user.userType <= value,
  )
  const filters: Filter<Query>[] = [
    { kind: 'select', name: 'span', label: '维度', options: statSpan.options },
    { kind: 'dates', from: 'from', to: 'to', label: '时间' },
    { kind: 'select', name: 'rank', label: '排名指标', options: customerRank.options },
    { kind: 'select', name: 'by', label: '归属维度', options: by },
    {
      kind: 'select',
      name: 'deviceTypeId',
      label: '设备类型',
      options: types.map(({ id, name }) => ({ value: id, label: name })),
    },
    { kind: 'owner' },
  ]
  return (
    <PageFrame title="客户经营分析" note={note}>
      <ListPanel
        listKey="customer-analysis"
        route={customerAnalysis.list}
        state={state}
        columns={columns}
        nameOf={(row) => row.ownerName}
        filters={filters}
        figures={<CustomerChart query={state.query} />}
        exporting={{ route: customerAnalysis.exportList, keys: Object.keys(customerAnalysisColumns) }}
      />
    </PageFrame>
  )
}
