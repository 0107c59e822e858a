import { sortableFields } from '@wattdeck/contract/kit/list-filter.ts'
import type { AnyRoute, ParamsOf, QueryOf } from '@wattdeck/contract/kit/route.ts'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import type { Chosen } from './chosen.ts'
import type { Column } from './columns.ts'
import type { Row } from './data-table-props.ts'
import { DataTable } from './DataTable.tsx'
import { FilterBar } from './FilterBar.tsx'
import { activeChips, type Filter } from './filters.ts'
import { linkCursor } from './known-pages.ts'
import { lazyPart } from '../routing/lazy-part.tsx'
import type { ListState } from './list-state.ts'
import { refetchRoutes, type RowOf } from '../api/queries.ts'
import type { RowAction } from './RowActions.tsx'
import { EmptyPane } from '../display/States.tsx'
import type { ListTotalsParams } from './totals/totals.ts'
import { useChosen } from './use-chosen.ts'
import { useLiveRows, type WatchRows } from '../live/use-live-rows.ts'
import { usePages } from './use-pages.ts'
import type { Preset } from './views/presets.ts'
import { useOpeningView } from './views/view-hint.ts'

const ExportButton = lazyPart(async () => (await import('../bulk/ExportButton.tsx')).ExportButton, 'courtesy')
const RefusedFilters = lazyPart(async () => (await import('./refused/RefusedFilters.tsx')).RefusedFilters)
const ViewTabs = lazyPart(async () => (await import('./views/ViewTabs.tsx')).ViewTabs, 'courtesy')
const ListTotals = lazyPart(async () => (await import('./totals/ListTotals.tsx')).ListTotals, 'courtesy')

export type ListPanelProps<R extends AnyRoute> = {
  listKey: string
  route: R
  /** From useListState, or useLocalListState if the URL belongs to another list. */
  state: ListState<R>
  columns: readonly Column<RowOf<R>>[]
  nameOf: (row: RowOf<R>) => string
  params?: ParamsOf<R>
  filters?: readonly Filter<QueryOf<R>>[]
  rowActions?: (row: RowOf<R>) => RowAction[]
  /** Buttons for selected rows; without it rows cannot be selected. */
  renderBatch?: (chosen: Chosen<RowOf<R>>) => ReactNode
  /** The batch routes accept a filter as well as ids, so that all its rows can be selected. */
  selectAll?: boolean
  barred?: (row: RowOf<R>) => boolean
  toolbar?: ReactNode
  /** Filters that are tabs for every user. */
  presets?: readonly Preset[]
  /** A route that sums up the whole filter, and the sums to show. */
  totals?: ListTotalsParams
  /** A route that writes the list to a file, and the columns that the file may contain. */
  exporting?: { route: AnyRoute; keys: readonly string[] }
  /** The list's name in live events, which update visible rows after changes of other users. */
  liveKey?: string
  /** Subscribes to changes of single visible rows, where events carry the rows. */
  watchRows?: WatchRows<RowOf<R>>
  /** Content for the same filters between them and the table, such as a chart. */
  figures?: ReactNode
  /** The action of an empty list. */
  emptyAction?: ReactNode
}

type PageNumbers = { pageNum: number; pageSize: number }

/** Views, filters and table of one list. */
export function ListPanel<R extends AnyRoute>(props: ListPanelProps<R>) {
  const { route, state, params, filters = [], renderBatch } = props
  type T = RowOf<R> & Row
  const opening = useOpeningView(route, state, props.presets)
  const isRefused = state.refused.length > 0
  const { read, known, queryKey, peek } = usePages(route, {
    query: state.query,
    enabled: !opening && !isRefused,
    ...(params ? { params } : {}),
  })
  const page = read.data
  const { flashing, hasNews } = useLiveRows<T>(
    { liveKey: props.liveKey, watch: props.watchRows as WatchRows<T> | undefined },
    { queryKey, peek, updatedAt: read.dataUpdatedAt, rows: page?.rows },
  )
  const { chosen, selection } = useChosen<T>(state.text, page, props)
  const { pageNum, pageSize } = state.query as PageNumbers
  const goTo = (next: PageNumbers) =>
    state.set({ ...next, cursor: linkCursor(known, next.pageNum) } as unknown as Partial<QueryOf<R>>)
  const { sort } = state.query as { sort?: string }
  const sorting = {
    by: sortableFields(route.query),
    now: sort,
    onChange: (next: string | undefined) => state.set({ sort: next } as unknown as Partial<QueryOf<R>>),
  }
  const toFirst = pageNum > 1 && <Button onClick={() => goTo({ pageNum: 1, pageSize })}>回到第一页</Button>
  const chips = activeChips(filters, state.query as Record<string, unknown>)
  const filtered = chips.length > 0
  const refetch = () => void refetchRoutes([route])

  const rows = (
    <>
      {props.figures}
      <DataTable<T>
        listKey={props.listKey}
        columns={props.columns}
        nameOf={props.nameOf}
        query={{ ...read, data: page, refetch }}
        flashing={flashing}
        views={
          state.inUrl && (
            <ViewTabs
              route={route}
              params={params}
              state={state}
              presets={props.presets}
              count={read.isPlaceholderData ? undefined : page}
            />
          )
        }
        totals={
          props.totals &&
          page && (
            <ListTotals totals={props.totals} list={route} params={params} text={state.text} auto={!page.bounded} />
          )
        }
        toolbar={
          <>
            <output>
              {hasNews && (
                <Button type="link" size="small" onClick={refetch}>
                  列表有更新，点击刷新
                </Button>
              )}
            </output>
            {props.toolbar}
            {props.exporting && (
              <ExportButton
                {...props.exporting}
                listKey={props.listKey}
                columns={props.columns}
                text={sort === undefined ? state.text : `${state.text}&sort=${sort}`}
                conditions={chips.map((chip) => chip.text).join('；')}
              />
            )}
          </>
        }
        empty={
          toFirst ? (
            <EmptyPane filtered={false} text="本页没有记录" action={toFirst} />
          ) : (
            <EmptyPane filtered={filtered} onClear={state.reset} action={props.emptyAction} />
          )
        }
        rescue={toFirst}
        {...(props.rowActions ? { rowActions: props.rowActions } : {})}
        {...(renderBatch ? { selection: { ...selection, actions: renderBatch(chosen) } } : {})}
        sorting={sorting}
        {...(page ? { paging: { ...page, pageNum, pageSize, known, onChange: goTo } } : {})}
      />
    </>
  )

  return (
    <section className="panel list-panel">
      {filters.length > 0 && (
        <FilterBar
          filters={filters}
          route={route}
          query={state.query}
          named={props.presets?.some(({ text }) => text === state.text) ?? false}
          onChange={state.set}
          onReset={state.reset}
        />
      )}
      {isRefused ? (
        <RefusedFilters
          route={route}
          filters={filters as readonly Filter<unknown>[]}
          refused={state.refused}
          onClear={state.set as (changes: Record<string, undefined>) => void}
        />
      ) : (
        rows
      )}
    </section>
  )
}
