import { filterFields } from '@wattdeck/contract/kit/list-filter.ts'
import { wireText } from '@wattdeck/domain/params.ts'
import type { z } from 'zod'

/** The URL of a list, read and written with the contract's own query schema. */
type QueryShape = Record<string, z.ZodType>
const shapeOf = (schema: z.ZodType): QueryShape => (schema as unknown as { shape?: QueryShape }).shape ?? {}

/** The parameters of the URL that the schema accepts. `refusedFilters` returns the filters that it rejects. */
export function readListQuery<S extends z.ZodType>(schema: S, search: URLSearchParams): z.output<S> {
  const admitted: Record<string, string> = {}
  for (const [name, field] of Object.entries(shapeOf(schema))) {
    const text = search.get(name)
    if (text !== null && text !== '' && field.safeParse(text).success) admitted[name] = text
  }
  const parsed = schema.safeParse(admitted)
  return parsed.success ? parsed.data : schema.parse({})
}

/** A filter of the URL that the list cannot apply. */
export type RefusedFilter = { name: string; text: string }

/** A list must not show all rows because one of its filters cannot be applied, so each of them is named. */
export function refusedFilters(schema: z.ZodType, search: URLSearchParams): RefusedFilter[] {
  const filters = [...filterFields(schema).keys()].flatMap((name) => {
    const text = search.get(name)?.trim()
    return text ? [{ name, text }] : []
  })
  const fits = (some: readonly RefusedFilter[]) =>
    schema.safeParse(Object.fromEntries(some.map(({ name, text }) => [name, text]))).success
  if (fits(filters)) return []
  // Filters may be invalid only in combination, such as an end before its beginning.
  const alone = filters.filter((filter) => !fits([filter]))
  return alone.length > 0 ? alone : filters
}

/** The URL after a change. A change of a filter returns to the first page; a cursor belongs to one page only. */
export function writeListQuery(
  schema: z.ZodType,
  search: URLSearchParams,
  changes: Record<string, unknown>,
): URLSearchParams {
  const next = new URLSearchParams(search)
  const names = Object.keys(shapeOf(schema))
  if (!('pageNum' in changes)) next.delete('pageNum')
  next.delete('cursor')
  for (const [name, value] of Object.entries(changes)) {
    if (!names.includes(name)) continue
    const text = value === undefined || value === null ? '' : wireText(value).trim()
    if (text === '') next.delete(name)
    else next.set(name, text)
  }
  return next
}

/** The URL without any filter; the page size is a preference, not a filter, and stays. */
export function clearListQuery(schema: z.ZodType, search: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(search)
  for (const name of Object.keys(shapeOf(schema))) if (name !== 'pageSize') next.delete(name)
  return next
}

/** Requests all rows, where the list would otherwise open with a view. */
const allKey = 'view'
export const wantsAll = (search: URLSearchParams) => search.has(allKey)

/** The URL with its filters replaced by those of a view. */
export function viewListQuery(schema: z.ZodType, search: URLSearchParams, view: string): URLSearchParams {
  const next = clearListQuery(schema, search)
  const names = Object.keys(shapeOf(schema))
  if (view === '') next.set(allKey, 'all')
  else next.delete(allKey)
  for (const [name, value] of new URLSearchParams(view)) if (names.includes(name)) next.set(name, value)
  return next
}
