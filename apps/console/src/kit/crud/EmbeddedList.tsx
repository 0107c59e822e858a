import type { List } from '@wattdeck/contract/kit/list.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { Link } from 'react-router'
import type { RowOf } from '../api/queries.ts'
import type { Column } from '../list/columns.ts'
import type { Filter } from '../list/filters.ts'
import { ListPanel } from '../list/ListPanel.tsx'
import { useLocalListState } from '../list/list-state.ts'
import type { ColumnChanges } from './field-columns.tsx'
import { useFieldList } from './use-field-list.ts'

export type EmbeddedListParams<L extends List> = {
  list: L
  listKey: string
  /** The list's name in live events. */
  liveKey: string
  /** The page of the object shows what all its rows have in common; these columns are `false`. */
  columns?: ColumnChanges<RowOf<L['routes']['list']>, keyof L['fields'] & string>
}
type Props<L extends List> = EmbeddedListParams<L> & {
  /** The filters that select the rows of the object. */
  of: Readonly<Record<string, string>>
  /** Filters by the object itself, beside its owner. */
  omit?: readonly string[]
  /** The page of the whole list: its title, and its path with the filter of the object. */
  whole: { title: string; path: string }
}

/** A list in a tab of an object page, such as the orders of a member: without owner filters and export, newest first. */
export function EmbeddedList<L extends List>({ list, listKey, liveKey, of, columns, omit, whole }: Props<L>) {
  type R = L['routes']['list']
  const {
    route,
    columns: shown,
    filters,
  } = useFieldList(list, {
    listKey,
    liveKey,
    ...(columns === undefined ? {} : { columns }),
  })
  const state = useLocalListState<R>(route, of)
  const kept = (filters as unknown as Filter<QueryOf<R>>[]).filter(
    (filter) => filter.kind !== 'owner' && !('name' in filter && omit?.includes(filter.name) === true),
  )
  return (
    <ListPanel<R>
      listKey={listKey}
      liveKey={liveKey}
      route={route}
      state={state}
      columns={shown as unknown as Column<RowOf<R>>[]}
      nameOf={(row) => (row as { id: string }).id}
      filters={kept}
      toolbar={<Link to={whole.path}>在{whole.title}中查看</Link>}
    />
  )
}
