import type { z } from 'zod'
import { pagingFields } from './page.ts'

/** The query fields of a list that are filters, without the paging fields. */
export function filterFields(query: z.ZodType): Map<string, z.ZodType> {
  const { shape = {} } = query as { shape?: Record<string, z.ZodType> }
  return new Map(Object.entries(shape).filter(([name]) => !pagingFields.includes(name)))
}

/** The fields that a list can be sorted by. */
export function sortableFields(query: z.ZodType): readonly string[] {
  const { shape = {} } = query as { shape?: Record<string, z.ZodType> }
  const sort = shape['sort'] as z.ZodOptional<z.ZodEnum> | undefined
  return (sort?.unwrap().options ?? []).map(String).filter((name) => !name.startsWith('-'))
}

/**
 * The canonical text of a filter: the fields of a search string that the query accepts, ordered by name. Saved views
 * and batches store it.
 */
export function filterText(query: z.ZodType, search: URLSearchParams): string {
  const admitted = new URLSearchParams()
  for (const [name, field] of filterFields(query)) {
    const value = search.get(name)?.trim() ?? ''
    if (value !== '' && field.safeParse(value).success) admitted.set(name, value)
  }
  admitted.sort()
  return admitted.toString()
}
