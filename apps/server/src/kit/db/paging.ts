import { countBound } from '@wattdeck/contract/kit/page.ts'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { DB } from './db.gen.ts'
import type { Db } from './db.ts'
import { invalid } from '../http/refusal.ts'

/** `countTo` is for the server itself: a file needs to know more exactly how long a list is. */
export type Paging = {
  pageNum: number
  pageSize: number
  cursor?: string | undefined
  skipCount?: boolean | undefined
  countTo?: number
}

/** What a list is ordered by, newest first: the columns, and their values in a row as PostgreSQL writes them. */
export type ListKey<R> = { columns: readonly (string | RawBuilder<unknown>)[]; of: (row: R) => readonly string[] }
const inSql = (column: string | RawBuilder<unknown>) => (typeof column === 'string' ? sql.ref(column) : column)
export const byId = <R extends { id: string }>(column: string): ListKey<R> => ({
  columns: [column],
  of: (row) => [row.id],
})

type Shape<TB extends keyof DB, O, R> = {
  /** What is shown. A list without a key also says its order here. */
  columns: (query: SelectQueryBuilder<DB, TB, O>) => SelectQueryBuilder<DB, TB, R>
  key?: ListKey<R>
  /** How many rows there are, when it is known before, counted to the bound: then nothing is counted again. */
  found?: number | undefined
  /**
   * Only the reader's scope narrows the rows, so one plan serves every reader: the size of the page stands in the text of
   * the first page. PostgreSQL makes a new plan for each page whose size and offset are parameters, which takes longer
   * than the page itself. With a filter that is right: a plan for any value takes a rare one for a common one.
   */
  unfiltered?: boolean
}

const pagingNames = new Set(['pageNum', 'pageSize', 'cursor', 'skipCount', 'countTo'])

/** Whether a query says nothing but which page is wanted. */
export const isUnfiltered = (query: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(query).every(([name, value]) => value === undefined || pagingNames.has(name))

/**
 * One page of a query, and how many rows it has, counted no further than the bound. Both go out at once on the
 * pipelined connection. `matching` holds joins and conditions. A list with a key starts at the cursor's place, so that
 * what lies before it is neither read nor skipped.
 */
export async function pageOf<TB extends keyof DB, O, R>(
  db: Db,
  matching: SelectQueryBuilder<DB, TB, O>,
  paging: Paging,
  { columns, key, found, unfiltered = false }: Shape<TB, O, R>,
): Promise<{ total: number | null; bounded: boolean; cursor: string | null; rows: R[] }> {
  const from = paging.cursor === undefined ? { page: 1, values: undefined } : openCursor(paging.cursor, key)
  const skip = (paging.pageNum - from.page) * paging.pageSize
  if (skip < 0) throw invalid(lostCursor)
  if (skip > countBound) throw invalid(`一次最多跳过${countBound}条记录，请逐页翻看或缩小查询范围`)
  const placed = from.values === undefined ? matching : matching.where(sql<boolean>`${before(key, from.values)}`)
  const ordered = (key?.columns ?? []).reduce((query, column) => query.orderBy(inSql(column), 'desc'), columns(placed))
  const bound = paging.countTo ?? countBound
  // Beyond the bound what was found was not counted on; a file wants to know more.
  const known = found !== undefined && found > countBound && bound > countBound ? undefined : found
  const [rows, count] = await Promise.all([
    (unfiltered && skip === 0 && from.values === undefined
      ? ordered.limit(sql.lit(paging.pageSize))
      : ordered.limit(paging.pageSize).offset(skip)
    ).execute(),
    paging.skipCount === true ? null : (known ?? countOf(db, matching, bound)),
  ])
  const last = rows.at(-1)
  const more = key !== undefined && last !== undefined && rows.length === paging.pageSize
  return {
    total: count === null ? null : Math.min(count, bound),
    bounded: count !== null && count > bound,
    cursor: more ? sealCursor(paging.pageNum + 1, key.of(last)) : null,
    rows,
  }
}

/**
 * For a list with many filters: each statement of this transaction is planned for its own values. A plan for any value
 * takes a rare one for a common one, and walks the whole list to find it.
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

const lostCursor = '页码已失效，请回到第一页'
const keyValue = /^(\d{1,18}|\d{4}-[01]\d-[0-3]\d [0-2]\d:[0-5]\d:[0-5]\d(\.\d{1,6})?\+08)$/

const sealCursor = (page: number, values: readonly string[]) =>
  Buffer.from(JSON.stringify([page, ...values])).toString('base64url')

/** Anybody may write one; at worst it names a place in the list that its writer may read anyway. */
function openCursor(cursor: string, key: ListKey<never> | undefined): { page: number; values: string[] } {
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    throw invalid(lostCursor)
  }
  const [page, ...values] = Array.isArray(parts) ? (parts as unknown[]) : []
  const wellMade =
    typeof page === 'number' &&
    Number.isSafeInteger(page) &&
    page > 0 &&
    values.length === key?.columns.length &&
    values.every((value) => typeof value === 'string' && keyValue.test(value) && isPoint(value))
  if (!wellMade) throw invalid(lostCursor)
  return { page, values: values as string[] }
}

const isPoint = (value: string) =>
  /^\d+$/.test(value) || !Number.isNaN(Date.parse(value.replace(' ', 'T').slice(0, 19)))

function before(key: ListKey<never> | undefined, values: readonly string[]) {
  const columns = (key?.columns ?? []).map(inSql)
  return sql`(${sql.join(columns)}) < (${sql.join(values.map((value) => sql`${value}`))})`
}

/** What LIKE takes for the beginning of a text, and for a part of it, with the text's own wildcards disarmed. */
export const beginning = (text: string) => `${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
export const containing = (text: string) => `%${beginning(text)}`
