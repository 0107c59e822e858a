import type { AnyRoute, ParamsOf, QueryOf } from '@wattdeck/contract/kit/route.ts'
import { Select } from 'antd'
import type { Column } from '../../../kit/list/columns.ts'
import { DataTable } from '../../../kit/list/DataTable.tsx'
import { FilterBar } from '../../../kit/list/FilterBar.tsx'
import { activeChips, type Filter } from '../../../kit/list/filters.ts'
import { useLocalListState } from '../../../kit/list/list-state.ts'
import { refetchRoutes, type RowOf } from '../../../kit/api/queries.ts'
import { EmptyPane } from '../../../kit/display/States.tsx'
import { usePages } from '../../../kit/list/use-pages.ts'
import type { Members } from '../operation-area/area-choice.ts'
import './system.css'

type Props<R extends AnyRoute> = {
  listKey: string
  route: R
  params: ParamsOf<R>
  columns: readonly Column<RowOf<R>>[]
  nameOf: (row: RowOf<R>) => string
  filters: readonly Filter<QueryOf<R>>[]
  /** The noun of the choices. */
  word: string
  value: Members
  onChange: (next: Members) => void
}

/** Selects rows of a searchable list; the selection is kept across pages. */
export function MemberChooser<R extends AnyRoute>(props: Props<R>) {
  const { route, params, filters, nameOf, word, value, onChange } = props
  type T = RowOf<R> & { id: string }
  const state = useLocalListState(route)
  const { read, known } = usePages(route, { query: state.query, params, enabled: true })
  const page = read.data
  const rows = (page?.rows ?? []) as T[]
  const here = rows.filter((row) => value.has(row.id)).map((row) => row.id)
  const { pageNum, pageSize } = state.query as { pageNum: number; pageSize: number }
  const chips = activeChips(filters, state.query as Record<string, unknown>)

  function choose(ids: readonly string[]) {
    const next = new Map(value)
    for (const row of rows) {
      if (ids.includes(row.id)) next.set(row.id, nameOf(row))
      else next.delete(row.id)
    }
    onChange(next)
  }
  return (
    <div className="member-chooser">
      <Select
        aria-label={`已选${word}`}
        className="chosen-members"
        mode="multiple"
        labelInValue
        // Shows the selection and removes single items; the list below adds items.
        open={false}
        suffixIcon={null}
        showSearch={false}
        allowClear
        maxTagCount={12}
        placeholder={`未选择${word}`}
        value={[...value].map(([id, name]) => ({ value: id, label: name }))}
        onChange={(remaining: { value: string }[]) => {
          const ids = new Set(remaining.map((one) => one.value))
          onChange(new Map([...value].filter(([id]) => ids.has(id))))
        }}
      />
      <FilterBar filters={filters} route={route} query={state.query} onChange={state.set} onReset={state.reset} />
      <DataTable<T>
        listKey={props.listKey}
        columns={props.columns}
        nameOf={nameOf}
        query={{ ...read, data: page as { rows: T[] } | undefined, refetch: () => refetchRoutes([route]) }}
        toolbar={<span className="meta">{`共选择 ${value.size} 个${word}`}</span>}
        empty={<EmptyPane filtered={chips.length > 0} onClear={state.reset} />}
        selection={{
          ids: here,
          onChange: choose,
          count: here.length,
          text: `本页已选 ${here.length} 个，共 ${value.size} 个`,
          actions: null,
        }}
        {...(page
          ? {
              paging: {
                ...page,
                pageNum,
                pageSize,
                known,
                onChange: (next: { pageNum: number; pageSize: number }) =>
                  state.set(next as unknown as Partial<QueryOf<R>>),
              },
            }
          : {})}
      />
    </div>
  )
}
