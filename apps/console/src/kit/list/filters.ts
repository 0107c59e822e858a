import type { ComponentType } from 'react'
import { wireText } from '@wattdeck/domain/params.ts'
import {
  type OwnerField,
  ownerField,
  type OwnerIds,
  type OwnerLevel,
  ownerLevels,
  ownerLabels,
  withOwner,
} from '../owner-region/owner.ts'
import { pathOf } from '../owner-region/region-options.ts'

type Option = { value: string | number; label: string }

/** The props that the form passes to a field. */
export type FilterPart = { label: string; id?: string; value?: unknown; onChange?: (value: unknown) => void }

/** One filter of a list. Its name is a field of the route's query. */
export type Filter<Q> =
  | { kind: 'text'; name: keyof Q & string; label: string }
  | { kind: 'select'; name: keyof Q & string; label: string; options: readonly Option[] }
  | { kind: 'dates'; from: keyof Q & string; to: keyof Q & string; label: string }
  /** A field of the page's own; the selected option has the label of the value. */
  | {
      kind: 'part'
      name: keyof Q & string
      label: string
      part: ComponentType<FilterPart>
      options: readonly Option[]
    }
  /** For a query with `regionFilter` of the contract. */
  | { kind: 'region'; label: string }
  /** 归属: organiseId, agentId and siteId, or the levels that the list has. */
  | { kind: 'owner'; levels?: readonly LevelOf<Q>[] }

type LevelOf<Q> = { [L in OwnerLevel]: `${L}Id` extends keyof Q ? L : never }[OwnerLevel]
type Values = Record<string, unknown>
const dayText = (value: unknown) => (typeof value === 'string' ? value : '不限')
const isSet = (value: unknown) => value !== undefined && value !== null && value !== ''

const codesOf = (query: Values) =>
  pathOf(...['provinceCode', 'cityCode', 'districtCode'].map((name) => query[name] as string | undefined))
const regionQuery = ([provinceCode, cityCode, districtCode]: readonly unknown[]) => ({
  provinceCode,
  cityCode,
  districtCode,
})

export function filterKey<Q>(filter: Filter<Q>): string {
  if (filter.kind === 'owner') return filter.kind
  if (filter.kind === 'region') return 'provinceCode'
  return filter.kind === 'dates' ? filter.from : filter.name
}

export const levelsOf = <Q>(filter: Filter<Q> & { kind: 'owner' }): readonly OwnerLevel[] =>
  filter.levels ?? ownerLevels
const fieldsOf = <Q>(filter: Filter<Q> & { kind: 'owner' }) => levelsOf(filter).map((level) => ownerField(level))

/** Converts the query to form fields: two dates are one field, as are the owner ids and the three codes of a region. */
export function formValues<Q>(filters: readonly Filter<Q>[], query: Values): Values {
  const valueOf = (filter: Filter<Q>) => {
    if (filter.kind === 'region') return codesOf(query)
    if (filter.kind === 'dates') return [query[filter.from], query[filter.to]]
    if (filter.kind === 'owner') return Object.fromEntries(fieldsOf(filter).map((field) => [field, query[field]]))
    return query[filter.name]
  }
  return Object.fromEntries(filters.map((filter) => [filterKey(filter), valueOf(filter)]))
}

/** Converts form fields to the query. Every filter is included, so that an emptied one leaves the URL. */
export function queryChanges<Q>(filters: readonly Filter<Q>[], values: Values): Values {
  return Object.fromEntries(
    filters.flatMap((filter): [string, unknown][] => {
      const value = values[filterKey(filter)]
      const list = Array.isArray(value) ? (value as unknown[]) : []
      if (filter.kind === 'region') return Object.entries(regionQuery(list))
      if (filter.kind === 'owner')
        return fieldsOf(filter).map((field) => [field, (value as OwnerIds | undefined)?.[field] ?? undefined])
      if (filter.kind !== 'dates') return [[filter.name, value]]
      return [
        [filter.from, list[0]],
        [filter.to, list[1]],
      ]
    }),
  )
}

/** For a region, `text` is only the label; the component resolves the names. */
export type Chip = { key: string; text: string; region?: readonly string[]; cleared: Values }

/** The active filters, each with the change that clears it. Owners are ids; the names come from the server. */
export function activeChips<Q>(
  filters: readonly Filter<Q>[],
  query: Values,
  names?: Readonly<Record<OwnerField, string>>,
): Chip[] {
  return filters.flatMap((filter): Chip[] => {
    const key = filterKey(filter)
    if (filter.kind === 'owner') return ownerChips(levelsOf(filter), query, names)
    if (filter.kind === 'region') {
      const codes = codesOf(query)
      return codes.length === 0 ? [] : [{ key, text: filter.label, region: codes, cleared: regionQuery([]) }]
    }
    if (filter.kind === 'dates') {
      const [from, to] = [query[filter.from], query[filter.to]]
      if (!isSet(from) && !isSet(to)) return []
      const text = `${filter.label}：${dayText(from)} 至 ${dayText(to)}`
      return [{ key, text, cleared: { [filter.from]: undefined, [filter.to]: undefined } }]
    }
    const value = query[filter.name]
    if (!isSet(value)) return []
    const option = 'options' in filter ? filter.options.find((one) => one.value === value) : undefined
    const text = `${filter.label}：${option?.label ?? wireText(value)}`
    return [{ key, text, cleared: { [filter.name]: undefined } }]
  })
}

const ownerChips = (
  levels: readonly OwnerLevel[],
  query: Values,
  names?: Readonly<Record<OwnerField, string>>,
): Chip[] =>
  levels
    .filter((level) => isSet(query[ownerField(level)]))
    .map((level) => {
      const key = ownerField(level)
      const now = Object.fromEntries(levels.map((one) => [ownerField(one), query[ownerField(one)]])) as OwnerIds
      const text = `${ownerLabels[level]}：${names?.[key] ?? wireText(query[key])}`
      return { key, text, cleared: withOwner(now, level, undefined) }
    })
