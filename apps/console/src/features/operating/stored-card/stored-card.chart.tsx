import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { storedCardState } from '@wattdeck/contract/operating/stored-card-codes.ts'
import { storedCard } from '@wattdeck/contract/operating/stored-card.ts'
import { useList } from '../../../kit/api/queries.ts'
import { ChartCard } from '../../../kit/charts/ChartCard.tsx'
import { lazyChart } from '../../../kit/charts/later-chart.tsx'
import './stored-card.css'

const ShareChart = lazyChart(async () => (await import('../../../kit/charts/ShareChart.tsx')).ShareChart)

/** Cards of the filter by their state. */
export function CardStates({ query }: { query: QueryOf<typeof storedCard.list> }) {
  const { pageNum: _, pageSize: __, cursor: ___, skipCount: ____, ...filter } = query
  const read = useList(storedCard.states, { query: filter })
  return (
    <div className="card-states">
      <ChartCard
        title="卡片状态"
        query={read}
        tableOf={({ rows }) => ({
          head: ['状态', '卡片数'],
          rows: rows.map(({ state, count }) => [storedCardState.show(state).label, count]),
        })}
        isEmpty={({ rows }) => rows.length === 0}
      >
        {({ rows }) => (
          <ShareChart
            label={`卡片状态，共 ${rows.reduce((sum, { count }) => sum + count, 0)} 张`}
            unit="张"
            rows={rows.map(({ state, count }) => ({ name: storedCardState.show(state).label, value: count }))}
          />
        )}
      </ChartCard>
    </div>
  )
}
