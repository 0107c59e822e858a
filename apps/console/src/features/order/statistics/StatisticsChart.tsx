import type { Page } from '@wattdeck/contract/kit/page.ts'
import type { AnyRoute, QueryOf } from '@wattdeck/contract/kit/route.ts'
import { Empty, Segmented } from 'antd'
import { useMemo } from 'react'
import { useSearch } from '../../../kit/routing/use-search.ts'
import type { BarLinePoint } from '../../../kit/charts/BarLineChart.tsx'
import { lazyChart } from '../../../kit/charts/later-chart.tsx'
import { type RowOf, useList } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'

const BarLineChart = lazyChart(async () => (await import('../../../kit/charts/BarLineChart.tsx')).BarLineChart)

/** A figure of a row as a number, only for drawing, never for sums. */
export type Measure<Row> = { key: string; label: string; unit: string; valueOf: (row: Row) => number }
type Props<R extends AnyRoute> = {
  title: string
  route: R
  filter: Record<string, unknown>
  measures: readonly Measure<RowOf<R>>[]
  line: Measure<RowOf<R>>
}

const chosenKey = 'chart'
/** A list never has more periods. */
const everyPeriod = { pageNum: 1, pageSize: 500, by: undefined }

/** The same filter over time, without the split by owner. The selected bars are stored in the URL. */
export function StatisticsChart<R extends AnyRoute>({ title, route, filter, measures, line }: Props<R>) {
  const [params, setParams] = useSearch()
  const bar = measures.find(({ key }) => key === params.get(chosenKey)) ?? measures[0]
  const read = useList(route, { query: { ...filter, ...everyPeriod } as unknown as Partial<QueryOf<R>> })
  const points = useMemo((): BarLinePoint[] => {
    const rows = (read.data as Page<RowOf<R>> | undefined)?.rows ?? []
    if (bar === undefined) return []
    return rows
      .map((row): BarLinePoint => [(row as { period: string }).period, bar.valueOf(row), line.valueOf(row)])
      .toReversed()
  }, [read.data, bar, line])
  if (bar === undefined) return null
  const choose = (key: string) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now)
        next.set(chosenKey, key)
        return next
      },
      { replace: true },
    )
  return (
    <>
      <Segmented
        className="stat-switch"
        aria-label="图表指标"
        value={bar.key}
        options={measures.map(({ key, label }) => ({ value: key, label }))}
        onChange={choose}
      />
      <div className="stat-chart">
        <States query={read} rows={6}>
          {() =>
            points.every(([, high, along]) => high === 0 && along === 0) ? (
              <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="该时间段内没有数据" />
            ) : (
              <BarLineChart label={`${title}：${bar.label}与${line.label}`} bar={bar} line={line} points={points} />
            )
          }
        </States>
      </div>
    </>
  )
}
