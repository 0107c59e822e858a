import type { z } from 'zod'
import { pagingFields } from './page.ts'

/** The fields of a list's query that say what is looked for, not which page of it. */
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
 * A filter as text: what the query admits of a search string, by name, so that one filter is always written one way.
 * Saved views and batches carry it.
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
