import { type CodeLabels, shownNames } from '@wattdeck/contract/kit/fields.ts'
import type { List, ListFilter } from '@wattdeck/contract/kit/list.ts'
import type { PersonalKind } from '@wattdeck/contract/auth/session.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { useUser } from '../api/user.ts'
import type { RowOf } from '../api/queries.ts'
import type { Column } from '../list/columns.ts'
import { decidedColumns } from '../list/decided-columns.tsx'
import { type Filter, filterKey } from '../list/filters.ts'
import { ownerLevels } from '../owner-region/owner.ts'
import { alikeOwners, ownerColumns } from '../owner-region/owner-columns.tsx'
import { type ColumnChanges, fieldColumns } from './field-columns.tsx'

type Options<R, K extends string> = {
  listKey: string
  /** The list's name in live events; none for a list without events. */
  liveKey?: string
  columns?: ColumnChanges<R, K>
  /** The kind of record that the phone numbers belong to; needed to unmask them. */
  personal?: PersonalKind | undefined
}

/** Returns the props of `ListPage` for a list of `defineList`. */
export function useFieldList<L extends List>(
  list: L,
  { columns, personal, ...keys }: Options<RowOf<L['routes']['list']>, keyof L['fields'] & string>,
) {
  type R = RowOf<L['routes']['list']> & object
  const user = useUser()
  const levels = ownerLevels.filter((level) => list.fields[`${level}Name`]?.kind === 'owner')
  const owners = ownerColumns(user, levels) as unknown as Column<R>[]
  const all = fieldColumns<R>(list.fields, owners, {
    changes: (columns ?? {}) as ColumnChanges<R>,
    ...(personal === undefined ? {} : { personal }),
  })
  const { exportList } = list.routes
  return {
    ...keys,
    title: list.module,
    route: list.routes.list as L['routes']['list'],
    columns: list.decided === undefined ? all : decidedColumns(all, list.decided, alikeOwners(user)),
    filters: listFilters(list) as Filter<QueryOf<L['routes']['list']>>[],
    ...(exportList === undefined ? {} : { exporting: { route: exportList, keys: shownNames(list.fields) } }),
  }
}

export function listFilters({ fields, filter }: List): Filter<Record<string, unknown>>[] {
  const titleOf = (name: string) => fields[name]?.title ?? name
  const field = (name: string, label: string, codes: CodeLabels | undefined) =>
    codes === undefined
      ? { kind: 'text' as const, name, label }
      : { kind: 'select' as const, name, label, options: codes.options }
  const parts: Record<keyof ListFilter, () => Filter<Record<string, unknown>>[]> = {
    keyword: () => [{ kind: 'text', name: 'keyword', label: filter.keyword?.label ?? '' }],
    own: () =>
      Object.entries(filter.own ?? {}).flatMap(([name, { title, codes }]) =>
        title === undefined ? [] : [field(name, title, codes)],
      ),
    exact: () => (filter.exact ?? []).map((name) => field(name, titleOf(name), fields[name]?.codes)),
    days: () => [{ kind: 'dates', from: 'from', to: 'to', label: titleOf(filter.days ?? '') }],
    owner: () => [{ kind: 'owner', levels: filter.owner as never }],
    region: () => [{ kind: 'region', label: filter.region ?? '' }],
    order: () => [],
  }
  // In the order of the declaration, unless it sets `order`.
  const filters = (Object.keys(filter) as (keyof ListFilter)[]).flatMap((part) => parts[part]())
  const { order } = filter
  if (order === undefined) return filters
  const nameOf = (one: (typeof filters)[number]) => (one.kind === 'region' ? one.kind : filterKey(one))
  return filters.toSorted((one, other) => order.indexOf(nameOf(one)) - order.indexOf(nameOf(other)))
}
