import { countBound, pagingFields } from '@wattdeck/contract/kit/page.ts'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { DB } from './db.gen.ts'
import type { Db } from './db.ts'
import { invalid } from '../http/refusal.ts'

/** `countTo` is for the server only: an export needs a higher bound of the count. */
export type Paging = {
  pageNum: number
  pageSize: number
  cursor?: string | undefined
  skipCount?: boolean | undefined
  countTo?: number
}

type SqlColumn = string | RawBuilder<unknown>
/** A non-null column and the format of its values. */
export type KeyColumn = readonly [column: SqlColumn, holds: keyof typeof forms]
/** Key of keyset pagination: the order of a list. Its values are unique to each row. */
export type ListKey = { columns: readonly KeyColumn[]; ascending?: boolean }
export const byId = (column: string): ListKey => ({ columns: [[column, 'number']] })

/** Columns for each sortable field, before the id. They must be a prefix of an index. */
export type Sorts = Readonly<Record<string, readonly KeyColumn[]>>

/** The key of a query's `sort`, or undefined without a sort. */
export function sortKey(sorts: Sorts | undefined, sort: unknown, id: string): ListKey | undefined {
  if (typeof sort !== 'string') return undefined
  const columns = sorts?.[sort.replace(/^-/, '')]
  if (columns === undefined) throw new Error(`the list has no columns for its sort ${sort}`)
  return { columns: [...columns, ...byId(id).columns], ascending: !sort.startsWith('-') }
}

type Shape<TB extends keyof DB, O, R> = {
  /** Selects the columns. A list without a key also sets its order here. */
  columns: (query: SelectQueryBuilder<DB, TB, O>) => SelectQueryBuilder<DB, TB, R>
  key?: ListKey
  /** The number of rows up to the bound, when it is known in advance. It saves the count. */
  found?: number | undefined
  /**
   * Only the reader's scope restricts the rows, so one generic plan suits every reader. The first page has its size as a
   * literal, because PostgreSQL plans each page again when size and offset are parameters. Planning takes longer than the page.
   * With a filter a new plan is right, because a generic plan treats a rare value as a common one.
   */
  unfiltered?: boolean
  /**
   * For rows of many sources without a common index: a further condition that leaves all rows of the page, found from the
   * condition of the cursor and the number of rows up to the end of the page. The count does not use it.
   */
  narrow?: (after: RawBuilder<boolean> | undefined, rows: number) => Promise<RawBuilder<boolean>>
}

const pagingNames = new Set([...pagingFields, 'countTo'])

/** Whether a query has paging fields only. */
export const isUnfiltered = (query: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(query).every(([name, value]) => value === undefined || pagingNames.has(name))

/**
 * One page of a query and its number of rows, counted up to the bound. Both queries are sent at once on the pipelined
 * connection. `matching` has joins and conditions. A list with a key uses keyset pagination: it starts at the cursor and does
 * not read the rows before it.
 */
export async function pageOf<TB extends keyof DB, O, R>(
  db: Db,
  matching: SelectQueryBuilder<DB, TB, O>,
  paging: Paging,
  { columns, key, found, unfiltered = false, narrow }: Shape<TB, O, R>,
): Promise<{ total: number | null; bounded: boolean; cursor: string | null; rows: R[] }> {
  const from = paging.cursor === undefined ? { page: 1, values: undefined } : openCursor(paging.cursor, key)
  const skip = (paging.pageNum - from.page) * paging.pageSize
  if (skip < 0) throw invalid(staleCursorText)
  if (skip > countBound) throw invalid(`一次最多跳过${countBound}条记录，请逐页翻看或缩小查询范围`)
  const after = from.values === undefined || key === undefined ? undefined : beyond(key, from.values)
  const following = after === undefined ? matching : matching.where(after)
  const placed = narrow === undefined ? following : following.where(await narrow(after, skip + paging.pageSize))
  const ordered = (key?.columns ?? []).reduce(
    (query, [column], at) =>
      query
        .orderBy(inSql(column), key?.ascending === true ? 'asc' : 'desc')
        .select(sql`(${inSql(column)})::text`.as(keyName(at))),
    columns(placed),
  )
  const bound = paging.countTo ?? countBound
  // `found` is not exact beyond the bound; an export needs a higher count.
  const countHint = found !== undefined && found > countBound && bound > countBound ? undefined : found
  const [rows, count] = await Promise.all([
    (unfiltered && skip === 0 && from.values === undefined
      ? ordered.limit(sql.lit(paging.pageSize))
      : ordered.limit(paging.pageSize).offset(skip)
    ).execute(),
    paging.skipCount === true ? null : (countHint ?? countOf(db, matching, bound)),
  ])
  const places = rows.map((row) => takeKey(row as Record<string, unknown>, key))
  const last = places.at(-1)
  const more = key !== undefined && last !== undefined && rows.length === paging.pageSize
  return {
    total: count === null ? null : Math.min(count, bound),
    bounded: count !== null && count > bound,
    cursor: more ? sealCursor(paging.pageNum + 1, last) : null,
    rows,
  }
}

/**
 * For a list with many filters: plans each statement of this transaction for its values. A generic plan treats a rare value
 * as a common one and scans the whole list for it.
 */
export async function planByValues(db: Db): Promise<void> {
  await sql`set local plan_cache_mode = force_custom_plan`.execute(db)
}

async function countOf<TB extends keyof DB, O>(
  db: Db,
  matching: SelectQueryBuilder<DB, TB, O>,
  bound: number,
): Promise<number> {
  const counted = matching.select(sql`1`.as('one')).limit(bound + 1)
  const { total } = await db
    .selectFrom(counted.as('matching'))
    .select(sql<string>`count(*)`.as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

const keyName = (at: number) => `key${at}`

/** Removes the key values of a row from the reply and returns them as PostgreSQL formats them. */
function takeKey(row: Record<string, unknown>, key: ListKey | undefined): string[] {
  return (key?.columns ?? []).map((_, at) => {
    const value = row[keyName(at)] as string
    delete row[keyName(at)]
    return value
  })
}

const staleCursorText = '页码已失效，请回到第一页'
const inSql = (column: SqlColumn) => (typeof column === 'string' ? sql.ref(column) : column)

/** Allowed formats of cursor values, as PostgreSQL formats them. */
const forms = {
  number: /^\d{1,18}$/,
  moment: /^\d{4}-[01]\d-[0-3]\d( [0-2]\d:[0-5]\d:[0-5]\d(\.\d{1,6})?\+08)?$/,
}

const sealCursor = (page: number, values: readonly string[]) =>
  Buffer.from(JSON.stringify([page, ...values])).toString('base64url')

/** A cursor is not signed. A forged one only names a position in a list that its caller may read anyway. */
function openCursor(cursor: string, key: ListKey | undefined): { page: number; values: string[] } {
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    throw invalid(staleCursorText)
  }
  const [page, ...values] = Array.isArray(parts) ? (parts as unknown[]) : []
  const columns = key?.columns ?? []
  const isWellFormed =
    typeof page === 'number' &&
    Number.isSafeInteger(page) &&
    page > 0 &&
    values.length === columns.length &&
    columns.length > 0 &&
    columns.every(([, holds], at) => isValue(values[at], holds))
  if (!isWellFormed) throw invalid(staleCursorText)
  return { page, values: values as string[] }
}

const isValue = (value: unknown, holds: keyof typeof forms) =>
  typeof value === 'string' &&
  forms[holds].test(value) &&
  (holds !== 'moment' || !Number.isNaN(Date.parse(value.replace(' ', 'T').slice(0, 19))))

/** Condition of the rows after the cursor. */
function beyond({ columns, ascending }: ListKey, values: readonly string[]): RawBuilder<boolean> {
  const [row, place] = [
    sql.join(columns.map(([column]) => inSql(column))),
    sql.join(values.map((value) => sql`${value}`)),
  ]
  return ascending === true ? sql<boolean>`(${row}) > (${place})` : sql<boolean>`(${row}) < (${place})`
}

/** LIKE patterns for a prefix and for a substring, with the wildcards of the text escaped. */
export const beginning = (text: string) => `${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
export const containing = (text: string) => `%${beginning(text)}`
