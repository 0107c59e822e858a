import type { Page } from '@wattdeck/contract/kit/page.ts'
import type { AnyRoute, ParamsOf, QueryOf } from '@wattdeck/contract/kit/route.ts'
import { type ReactNode, useState } from 'react'
import type { Column } from './columns.ts'
import type { Row } from './data-table-props.ts'
import { DataTable } from './DataTable.tsx'
import { FilterBar } from './FilterBar.tsx'
import { activeChips, type Filter } from './filters.ts'
import type { ListState } from './list-state.ts'
import { type RowOf, useList } from './queries.ts'
import type { RowAction } from './RowActions.tsx'
import { EmptyPane } from './States.tsx'

export type ListPanelProps<R extends AnyRoute> = {
  listKey: string
  route: R
  /** From useListState, or useLocalListState where the URL is not this list's. */
  state: ListState<R>
  columns: readonly Column<RowOf<R>>[]
  nameOf: (row: RowOf<R>) => string
  params?: ParamsOf<R>
  filters?: readonly Filter<QueryOf<R>>[]
  rowActions?: (row: RowOf<R>) => RowAction[]
  /** Buttons for chosen rows; without it rows cannot be chosen. */
  renderBatch?: (chosen: RowOf<R>[], clear: () => void) => ReactNode
  barred?: (row: RowOf<R>) => boolean
  toolbar?: ReactNode
  /** What to do when there is nothing yet. */
  emptyAction?: ReactNode
}

type PageNumbers = { pageNum: number; pageSize: number }

/** Filters and table of one list. */
export function ListPanel<R extends AnyRoute>(props: ListPanelProps<R>) {
  const { route, state, filters = [], renderBatch } = props
  type T = RowOf<R> & Row
  const [ids, setIds] = useState<readonly string[]>([])
  const query = useList(route, { query: state.query, ...(props.params ? { params: props.params } : {}) })
  const page = query.data as Page<T> | undefined
  const chosen = (page?.rows ?? []).filter((row) => ids.includes(row.id))
  const values = state.query as PageNumbers & Record<string, unknown>
  const filtered = activeChips(filters, values).length > 0

  return (
    <section className="panel list-panel">
      {filters.length > 0 && (
        <FilterBar filters={filters} query={state.query} onChange={state.set} onReset={state.reset} />
      )}
      <DataTable<T>
        listKey={props.listKey}
        columns={props.columns}
        nameOf={props.nameOf}
        query={{ ...query, data: page }}
        toolbar={props.toolbar}
        empty={<EmptyPane filtered={filtered} onClear={state.reset} action={props.emptyAction} />}
        {...(props.rowActions ? { rowActions: props.rowActions } : {})}
        {...(renderBatch
          ? {
              selection: {
                ids: chosen.map((row) => row.id),
                onChange: setIds,
                actions: renderBatch(chosen, () => setIds([])),
                ...(props.barred ? { barred: props.barred } : {}),
              },
            }
          : {})}
        {...(page
          ? {
              paging: {
                total: page.total,
                bounded: page.bounded,
                pageNum: values.pageNum,
                pageSize: values.pageSize,
                onChange: (next: PageNumbers) => state.set(next as unknown as Partial<QueryOf<R>>),
              },
            }
          : {})}
      />
    </section>
  )
}
