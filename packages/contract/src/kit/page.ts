import { z } from 'zod'
import { flag, row, whole } from './wire.ts'

/** Lists are counted exactly up to this many rows, and skip at most this many rows from a known cursor. */
export const countBound = 2_000

/**
 * A page by number, with keyset pagination: a cursor marks the start of a page and is returned by the page before it.
 * With a cursor, deep pages cost as little as the first. Paging needs no second count.
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

/** The sort field of a list, ascending; with `-` before it, descending. */
export const sortBy = <const N extends string>(names: readonly N[]) =>
  z.enum(names.flatMap((name) => [name, `-${name}`] as const)).optional()

/** Fields that select the page. All other query fields of a list are filters. */
export const pagingFields: readonly string[] = [...Object.keys(PageQuery.shape), 'sort']

/** The page number of a cursor, its first element. Undefined when the text is not a cursor. */
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
    total: z.int().nullable().describe('null: not counted because of skipCount'),
    bounded: z.boolean().describe('the actual row count exceeds total'),
    cursor: z.string().nullable().describe('start of the next page; null on the last page'),
    rows: z.array(item),
  })
export type Page<T> = { total: number | null; bounded: boolean; cursor: string | null; rows: T[] }

/** The exact row count of a filter, without a bound, and its sums as decimal text. */
export type Totals = z.infer<typeof Totals>
// An open object instead of z.record, which would add to the bundle only for this place.
export const Totals = row({ count: z.int(), sums: row({}).catchall(z.string()) })
