import type { AnyRoute, DataOf, QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { ReactNode } from 'react'
import { useListState } from '../../../kit/list/list-state.ts'
import { ListPanel, type ListPanelProps } from '../../../kit/list/ListPanel.tsx'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import { type RowOf, useDetail } from '../../../kit/api/queries.ts'
import { type Measure, StatisticsChart } from './StatisticsChart.tsx'
import './statistics.css'

type Row = { period: string; ownerName: string | null }
type Props<R extends AnyRoute, T extends AnyRoute> = Omit<
  ListPanelProps<R>,
  'state' | 'nameOf' | 'totals' | 'figures'
> & {
  title: string
  note: ReactNode
  totalsRoute: T
  /** The totals of the whole filter. */
  totals: readonly { label: string; render: (sums: DataOf<T>) => ReactNode }[]
  /** The choices for the bars; the first is the default. */
  measures: readonly Measure<RowOf<R>>[]
  line: Measure<RowOf<R>>
}

/** Figures by day or month: filters, totals, a chart over time, and the table. */
export function StatisticsPage<R extends AnyRoute, T extends AnyRoute>(props: Props<R, T>) {
  const { title, note, totalsRoute, totals, measures, line, ...list } = props
  const state = useListState(list.route as R)
  const { pageNum: _, pageSize: __, cursor: ___, skipCount: ____, ...filter } = state.query as Record<string, unknown>
  const sums = useDetail(totalsRoute, { query: filter as Partial<QueryOf<T>> }).data
  return (
    <PageFrame title={title} note={note}>
      <ListPanel
        {...(list as Omit<ListPanelProps<R>, 'state' | 'nameOf'>)}
        state={state}
        figures={
          <section className="stat-panel" aria-label="合计与图表">
            <dl className="stat-totals">
              {totals.map(({ label, render }) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>{sums === undefined ? '–' : render(sums)}</dd>
                </div>
              ))}
            </dl>
            <StatisticsChart title={title} route={list.route as R} filter={filter} measures={measures} line={line} />
          </section>
        }
        nameOf={(row) => [(row as Row).period, (row as Row).ownerName].filter((part) => part !== null).join(' ')}
      />
    </PageFrame>
  )
}
