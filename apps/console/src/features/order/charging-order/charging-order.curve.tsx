import { chargingOrder } from '@wattdeck/contract/order/charging-order.ts'
import { Empty } from 'antd'
import { useMemo } from 'react'
import type { ChartPoint } from '../../../kit/charts/LineChart.tsx'
import { lazyChart } from '../../../kit/charts/later-chart.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import { shanghaiTime } from '../../../kit/display/time-text.ts'

const LineChart = lazyChart(async () => (await import('../../../kit/charts/LineChart.tsx')).LineChart)

export function OrderCurve({ id }: { id: string }) {
  const read = useDetail(chargingOrder.curve, { params: { id } })
  const points = useMemo(
    () =>
      (read.data ?? []).flatMap(({ at, powerDw }): ChartPoint[] =>
        powerDw === null ? [] : [[shanghaiTime(at).getTime(), powerDw / 10]],
      ),
    [read.data],
  )
  const [first, last] = [points[0], points.at(-1)]
  return (
    <States query={read} rows={6}>
      {() =>
        first === undefined || last === undefined ? (
          <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="设备没有上报功率" />
        ) : (
          <LineChart label="充电功率" unit="W" points={points} from={first[0]} to={last[0]} />
        )
      }
    </States>
  )
}
