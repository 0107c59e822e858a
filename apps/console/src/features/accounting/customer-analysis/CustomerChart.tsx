import {
  type CustomerAnalysis,
  customerAnalysis,
  customerAnalysisColumns,
  customerRank,
} from '@wattdeck/contract/accounting/customer-analysis.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { ChartCard } from '../../../kit/charts/ChartCard.tsx'
import { lazyChart } from '../../../kit/charts/later-chart.tsx'
import { useList } from '../../../kit/api/queries.ts'

const RankChart = lazyChart(async () => (await import('../../../kit/charts/RankChart.tsx')).RankChart)

type Rank = (typeof customerRank.options)[number]['value']
const { code } = customerRank
const shown: Record<Rank, { unit: string; of: (row: CustomerAnalysis) => string | number | null }> = {
  [code.revenue]: { unit: '元', of: (row) => row.revenue },
  [code.orders]: { unit: '单', of: (row) => row.orders },
  [code.energy]: { unit: 'kWh', of: (row) => row.energyDwh / 10_000 },
  [code.service]: { unit: '元', of: (row) => row.service },
  [code.refundRate]: { unit: '%', of: (row) => row.refundRate },
  [code.devices]: { unit: '台', of: (row) => row.devices },
  [code.onlineRate]: { unit: '%', of: (row) => row.onlineRate },
  [code.usage]: { unit: '%', of: (row) => row.usage },
  [code.active]: { unit: '人', of: (row) => row.active },
  [code.perDevice]: { unit: '元', of: (row) => row.perDevice },
}

/** The ten highest owners, independent of the table page. */
export function CustomerChart({ query }: { query: QueryOf<typeof customerAnalysis.list> }) {
  const { pageNum: _, pageSize: __, cursor: ___, skipCount: ____, ...filter } = query
  const read = useList(customerAnalysis.list, { query: { ...filter, pageNum: 1, pageSize: 10 } })
  const rank = query.rank ?? code.revenue
  const { label } = customerRank.show(rank)
  const { unit, of } = shown[rank]
  return (
    <div className="customer-chart">
      <ChartCard
        title={`${label}排名 TOP10`}
        query={read}
        tableOf={({ rows }) => ({
          head: [customerAnalysisColumns.ownerName, `${label}（${unit}）`],
          rows: rows.map((row) => [row.ownerName, of(row)]),
        })}
        isEmpty={({ rows }) => rows.every((row) => Number(of(row) ?? 0) === 0)}
      >
        {({ rows }) => (
          <RankChart
            label={`${label}最高的 ${rows.length} 个`}
            unit={unit}
            rows={rows.map((row) => ({ name: row.ownerName, value: Number(of(row) ?? 0) }))}
          />
        )}
      </ChartCard>
    </div>
  )
}
