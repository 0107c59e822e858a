import { wireText } from '@wattdeck/domain/params.ts'

type Option = { value: string | number; label: string }

/** One filter of a list. Its name is a field of the route's query. */
export type Filter<Q> =
  | { kind: 'text'; name: keyof Q & string; label: string }
  | { kind: 'select'; name: keyof Q & string; label: string; options: readonly Option[] }
  | { kind: 'dates'; from: keyof Q & string; to: keyof Q & string; label: string }

type Values = Record<string, unknown>
const dayText = (value: unknown) => (typeof value === 'string' ? value : '不限')
const given = (value: unknown) => value !== undefined && value !== null && value !== ''

export const filterKey = <Q>(filter: Filter<Q>): string => (filter.kind === 'dates' ? filter.from : filter.name)

/** The fields of the form, from the query: two dates are one field. */
export function formValues<Q>(filters: readonly Filter<Q>[], query: Values): Values {
  return Object.fromEntries(
    filters.map((filter) => [
      filterKey(filter),
      filter.kind === 'dates' ? [query[filter.from], query[filter.to]] : query[filter.name],
    ]),
  )
}

/** And back. Every filter is named, so that an emptied one leaves the URL. */
export function queryChanges<Q>(filters: readonly Filter<Q>[], values: Values): Values {
  return Object.fromEntries(
    filters.flatMap((filter): [string, unknown][] => {
      const value = values[filterKey(filter)]
      if (filter.kind !== 'dates') return [[filter.name, value]]
      const [from, to] = Array.isArray(value) ? (value as unknown[]) : []
      return [
        [filter.from, from],
        [filter.to, to],
      ]
    }),
  )
}

export type Chip = { key: string; text: string; cleared: Values }

/** What is filtered by now, each with the change that takes it away. */
export function activeChips<Q>(filters: readonly Filter<Q>[], query: Values): Chip[] {
  return filters.flatMap((filter): Chip[] => {
    if (filter.kind === 'dates') {
      const [from, to] = [query[filter.from], query[filter.to]]
      if (!given(from) && !given(to)) return []
      const text = `${filter.label}：${dayText(from)} 至 ${dayText(to)}`
      return [{ key: filter.from, text, cleared: { [filter.from]: undefined, [filter.to]: undefined } }]
    }
    const value = query[filter.name]
    if (!given(value)) return []
    const option = filter.kind === 'select' ? filter.options.find((one) => one.value === value) : undefined
    const text = `${filter.label}：${option?.label ?? wireText(value)}`
    return [{ key: filter.name, text, cleared: { [filter.name]: undefined } }]
  })
}
