import { z } from 'zod'
import { flag, row, whole } from './wire.ts'

/** Lists are counted exactly up to this many rows, and skip no more than this many from a place they know. */
export const countBound = 2_000

/**
 * A page by its number. A cursor is the place where a page begins that was seen before, given out by the page before
 * it; with one, page numbers of any depth cost as little as the first. Turning pages needs no second count.
 */
export const PageQuery = row({
  pageNum: whole(1, 999_999_999).default(1),
  pageSize: whole(1, 500).default(10),
  cursor: z
    .string()
    .max(200)
    .regex(/^[\w-]+$/, '页码已失效，请回到第一页')
    .optional(),
  skipCount: flag.optional(),
})

/** The field that a list is ordered by, lowest first; with `-` before it, highest first. */
export const sortBy = <const N extends string>(names: readonly N[]) =>
  z.enum(names.flatMap((name) => [name, `-${name}`] as const)).optional()

/** What says which page is read. Everything else in the query of a list is a filter. */
export const pagingFields: readonly string[] = [...Object.keys(PageQuery.shape), 'sort']

/** The number of the page that a cursor begins, which stands first in it. Undefined for what is no cursor. */
export function pageOfCursor(cursor: string): number | undefined {
  try {
    const parts = JSON.parse(atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))) as unknown
    const page: unknown = Array.isArray(parts) ? parts[0] : undefined
    return typeof page === 'number' && Number.isSafeInteger(page) && page > 0 ? page : undefined
  } catch {
    return undefined
  }
}

export const page = <T extends z.ZodType>(item: T) =>
  row({
    total: z.int().nullable().describe('null: not counted, as asked'),
    bounded: z.boolean().describe('there are more rows than total says'),
    cursor: z.string().nullable().describe('where the next page begins; null on the last page'),
    rows: z.array(item),
  })
export type Page<T> = { total: number | null; bounded: boolean; cursor: string | null; rows: T[] }

/** How many rows a whole filter finds, without a bound, and what they add up to: sums are decimal text. */
export type Totals = z.infer<typeof Totals>
// An open object rather than z.record, which every browser would have to load for this one place.
export const Totals = row({ count: z.int(), sums: row({}).catchall(z.string()) })
