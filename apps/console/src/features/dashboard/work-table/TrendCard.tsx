import { workTable } from '@wattdeck/contract/dashboard/work-table.ts'
import { useMemo } from 'react'
import type { BarLinePoint } from '../../../kit/charts/BarLineChart.tsx'
import { lazyChart } from '../../../kit/charts/later-chart.tsx'
import { useList } from '../../../kit/api/queries.ts'
import { Block, NothingHere } from '../_shared/Block.tsx'
import type { CardProps } from './card-props.ts'

// A large chunk, loaded only when there is data to draw; the figures are rendered by then.
const BarLineChart = lazyChart(async () => (await import('../../../kit/charts/BarLineChart.tsx')).BarLineChart)

const revenue = { label: '营收', unit: '元' }
const orders = { label: '订单', unit: '单' }

export function TrendCard({ title, query }: CardProps) {
  const read = useList(workTable.trend, { query })
  // Numbers only for drawing; nearby days need no year.
  const points = useMemo(
    () =>
      (read.data ?? []).map((point): BarLinePoint => {
        const name = point.period.length > 7 ? point.period.slice(5) : point.period
        return [name, Number(point.revenue), point.orders]
      }),
    [read.data],
  )
  return (
    <Block title={title} area="trend" query={read} rows={7}>
      {() =>
        points.every(([, bar, line]) => bar === 0 && line === 0) ? (
          <NothingHere>该时间段内没有订单</NothingHere>
        ) : (
          <div className="trend">
            <BarLineChart label={title} bar={revenue} line={orders} points={points} />
          </div>
        )
      }
    </Block>
  )
}
