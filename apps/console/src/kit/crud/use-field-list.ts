import { shownNames } from '@wattdeck/contract/kit/fields.ts'
import type { List, ListFilter } from '@wattdeck/contract/kit/list.ts'
import type { PersonalKind } from '@wattdeck/contract/auth/session.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { useUser } from '../api/user.ts'
import type { RowOf } from '../api/queries.ts'
import type { Column } from '../list/columns.ts'
import { type Filter, filterKey } from '../list/filters.ts'
import { ownerLevels } from '../owner-region/owner.ts'
import { ownerColumns } from '../owner-region/owner-columns.tsx'
import { type ColumnChanges, fieldColumns } from './field-columns.tsx'

type Options<R, K extends string> = {
  listKey: string
  /** The list's name in live events; none for a list without events. */
  liveKey?: string
  columns?: ColumnChanges<R, K>
  /** What the phones of the rows belong to, so that they can be shown in the clear. */
  personal?: PersonalKind | undefined
}

/** What a page of a list of `defineList` hands to `ListPage`. */
export function useFieldList<L extends List>(
  list: L,
  { columns, personal, ...keys }: Options<RowOf<L['routes']['list']>, keyof L['fields'] & string>,
) {
  type R = RowOf<L['routes']['list']> & object
  const user = useUser()
  const levels = ownerLevels.filter((level) => list.fields[`${level}Name`]?.kind === 'owner')
  const owners = ownerColumns(user, levels) as unknown as Column<R>[]
  const { exportList } = list.routes
  return {
    ...keys,
    title: list.module,
    route: list.routes.list as L['routes']['list'],
    columns: fieldColumns<R>(list.fields, owners, {
      changes: (columns ?? {}) as ColumnChanges<R>,
      ...(personal === undefined ? {} : { personal }),
    }),
    filters: listFilters(list) as Filter<QueryOf<L['routes']['list']>>[],
    ...(exportList === undefined ? {} : { exporting: { route: exportList, keys: shownNames(list.fields) } }),
  }
}

export function listFilters({ fields, filter }: List): Filter<Record<string, unknown>>[] {
  const titleOf = (name: string) => fields[name]?.title ?? name
  const filtersOf: Record<keyof ListFilter, () => Filter<Record<string, unknown>>[]> = {
    keyword: () => (filter.keyword ? [{ kind: 'text', name: 'keyword', label: filter.keyword.label }] : []),
    own: () =>
      Object.entries(filter.own ?? {}).flatMap(([name, { title: label }]) =>
        label === undefined ? [] : [{ kind: 'text' as const, name, label }],
      ),
    exact: () =>
      (filter.exact ?? []).map((name) => {
        const options = fields[name]?.codes?.options
        return options === undefined
          ? { kind: 'text', name, label: titleOf(name) }
          : { kind: 'select', name, label: titleOf(name), options }
      }),
    days: () => (filter.days ? [{ kind: 'dates', from: 'from', to: 'to', label: titleOf(filter.days) }] : []),
    owner: () => (filter.owner ? [{ kind: 'owner', levels: filter.owner as never }] : []),
    region: () => (filter.region === undefined ? [] : [{ kind: 'region', label: filter.region }]),
    order: () => [],
  }
  const filters = (Object.keys(filter) as (keyof ListFilter)[]).flatMap((part) => filtersOf[part]())
  const { order } = filter
  if (order === undefined) return filters
  const nameOf = (one: (typeof filters)[number]) => (one.kind === 'region' ? one.kind : filterKey(one))
  return filters.toSorted((one, other) => order.indexOf(nameOf(one)) - order.indexOf(nameOf(other)))
}
