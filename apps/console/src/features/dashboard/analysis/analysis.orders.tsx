import { analysis, analysisDays } from '@wattdeck/contract/dashboard/analysis.ts'
import { Segmented } from 'antd'
import { ChartCard } from '../../../kit/charts/ChartCard.tsx'
import { lazyChart } from '../../../kit/charts/later-chart.tsx'
import { useList } from '../../../kit/api/queries.ts'
import { amountOf, heatTable, type Measure, measures, shareTable, trendTable, weekdays } from './analysis-tables.ts'
import type { Analysis } from './use-analysis.ts'

const SeriesChart = lazyChart(async () => (await import('../../../kit/charts/SeriesChart.tsx')).SeriesChart)
const ShareChart = lazyChart(async () => (await import('../../../kit/charts/ShareChart.tsx')).ShareChart)
const RankChart = lazyChart(async () => (await import('../../../kit/charts/RankChart.tsx')).RankChart)
const HeatChart = lazyChart(async () => (await import('../../../kit/charts/HeatChart.tsx')).HeatChart)

type Props = { of: Analysis }
const idle = { revenue: '0.00', orders: 0, energyDwh: 0 }

/** The displayed figure of a chart is stored in the URL under the chart's name. */
function useMeasure({ chosen, change }: Analysis, name: string, choices: readonly Measure[]) {
  const options = measures.filter(({ value }) => choices.includes(value))
  const [first] = options
  const shown = options.find(({ value }) => value === chosen(name)) ?? first ?? measures[0]
  const control = (label: string) => (
    <Segmented
      size="small"
      aria-label={label}
      value={shown.value}
      options={options.map(({ value, label: text }) => ({ value, label: text }))}
      onChange={(value) => change({ [name]: value })}
    />
  )
  return { shown, control }
}

export function TrendCard({ of }: Props) {
  const { shown, control } = useMeasure(of, 'trend', ['revenue', 'orders', 'energy'])
  const read = useList(analysis.trend, { query: of.grained })
  return (
    <ChartCard
      title="经营趋势"
      note="虚线为上一周期同日；订单计入充电结束的时间"
      wide
      extra={control('趋势指标')}
      query={read}
      tableOf={({ rows }) => trendTable(rows)}
      isEmpty={({ rows }) =>
        rows.every((row) => row.orders === 0 && (row.before ?? idle).orders === 0 && Number(row.refunded) === 0)
      }
    >
      {({ rows }) => (
        <SeriesChart
          label={`经营趋势：${shown.label}，共 ${rows.length} 个时间点`}
          unit={shown.unit}
          names={rows.map(({ period }) => period)}
          series={[
            { name: shown.label, kind: 'line', values: rows.map((row) => amountOf(row, shown.value)) },
            {
              name: '上期',
              kind: 'thin',
              values: rows.map(({ before }) => (before === null ? null : amountOf(before, shown.value))),
            },
          ]}
        />
      )}
    </ChartCard>
  )
}

export function TypesCard({ of }: Props) {
  const { shown, control } = useMeasure(of, 'types', ['revenue', 'orders', 'energy'])
  const read = useList(analysis.types, { query: of.query })
  return (
    <ChartCard
      title="设备类型占比"
      extra={control('占比指标')}
      query={read}
      tableOf={({ rows }) => shareTable('设备类型', rows)}
      isEmpty={({ rows }) => rows.length === 0}
    >
      {({ rows }) => (
        <ShareChart
          label={`设备类型占比：${shown.label}，共 ${rows.length} 种`}
          unit={shown.unit}
          rows={rows.map((row) => ({ name: row.name, value: amountOf(row, shown.value) }))}
        />
      )}
    </ChartCard>
  )
}

export function SitesCard({ of }: Props) {
  const read = useList(analysis.sites, { query: of.query })
  return (
    <ChartCard
      title="站点 TOP10"
      note="按营收（元）从高到低"
      query={read}
      tableOf={({ rows }) => shareTable('站点', rows)}
      isEmpty={({ rows }) => rows.length === 0}
    >
      {({ rows }) => (
        <RankChart
          label={`营收最高的 ${rows.length} 个站点`}
          unit="元"
          rows={rows.map((row) => ({ name: row.name, value: Number(row.revenue) }))}
        />
      )}
    </ChartCard>
  )
}

const hours = Array.from({ length: 24 }, (_, hour) => `${hour}时`)

export function HeatCard({ of }: Props) {
  const { shown, control } = useMeasure(of, 'heat', ['orders', 'energy'])
  const read = useList(analysis.heat, { query: of.query })
  const { from = of.query.from, to = of.query.to } = read.data ?? {}
  const days = from === of.query.from ? '' : `；${from} 至 ${to}（最近 ${analysisDays.heat} 天）`
  return (
    <ChartCard
      title="时段热力"
      note={`按充电结束的星期与小时${days}`}
      extra={control('热力指标')}
      query={read}
      tableOf={({ rows }) => heatTable(rows)}
      isEmpty={({ rows }) => rows.every(({ orders }) => orders === 0)}
    >
      {({ rows }) => (
        <HeatChart
          label={`每周各时段的${shown.label}`}
          unit={shown.unit}
          columns={hours}
          rows={weekdays}
          points={rows.map((cell) => [
            cell.hour,
            cell.weekday - 1,
            amountOf({ revenue: '0', orders: cell.orders, energyDwh: cell.energyDwh }, shown.value),
          ])}
        />
      )}
    </ChartCard>
  )
}
