import { shownNames } from '@wattdeck/contract/kit/fields.ts'
import type { List } from '@wattdeck/contract/kit/list.ts'
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
  /** The list's name in live events; none for a list that nobody tells of. */
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
  const filters: Filter<Record<string, unknown>>[] = [
    ...(filter.keyword ? [{ kind: 'text' as const, name: 'keyword', label: filter.keyword.label }] : []),
    ...Object.entries(filter.own ?? {}).flatMap(([name, { title: label }]) =>
      label === undefined ? [] : [{ kind: 'text' as const, name, label }],
    ),
    ...(filter.exact ?? []).map((name) => {
      const options = fields[name]?.codes?.options
      return options === undefined
        ? { kind: 'text' as const, name, label: titleOf(name) }
        : { kind: 'select' as const, name, label: titleOf(name), options }
    }),
    ...(filter.days ? [{ kind: 'dates' as const, from: 'from', to: 'to', label: titleOf(filter.days) }] : []),
    ...(filter.owner ? [{ kind: 'owner' as const, levels: filter.owner as never }] : []),
    ...(filter.region === undefined ? [] : [{ kind: 'region' as const, label: filter.region }]),
  ]
  const { order } = filter
  if (order === undefined) return filters
  const nameOf = (one: (typeof filters)[number]) => (one.kind === 'region' ? one.kind : filterKey(one))
  return filters.toSorted((one, other) => order.indexOf(nameOf(one)) - order.indexOf(nameOf(other)))
}
