import { countBound, pagingFields } from '@wattdeck/contract/kit/page.ts'
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

type SqlColumn = string | RawBuilder<unknown>
/** A column that is never null, and what its values look like. */
export type KeyColumn = readonly [column: SqlColumn, holds: keyof typeof forms]
/** What a list is ordered by. No two rows have the same values in all of its columns. */
export type ListKey = { columns: readonly KeyColumn[]; ascending?: boolean }
export const byId = (column: string): ListKey => ({ columns: [[column, 'number']] })

/**
 * For each field that a list can be sorted by: its columns before the id, with which an index of the table begins. A column
 * without equal values needs no id, so that an index without the id has the whole order.
 */
export type Sorts = Readonly<Record<string, readonly KeyColumn[] | { unique: KeyColumn }>>

/** The order that `sort` of a query asks for; undefined where it asks for none. */
export function sortKey(sorts: Sorts | undefined, sort: unknown, id: string): ListKey | undefined {
  if (typeof sort !== 'string') return undefined
  const order = sorts?.[sort.replace(/^-/, '')]
  if (order === undefined) throw new Error(`the list has no columns for its sort ${sort}`)
  const columns = 'unique' in order ? [order.unique] : [...order, ...byId(id).columns]
  return { columns, ascending: !sort.startsWith('-') }
}

type Shape<TB extends keyof DB, O, R> = {
  /** What is shown. A list without a key also says its order here. */
  columns: (query: SelectQueryBuilder<DB, TB, O>) => SelectQueryBuilder<DB, TB, R>
  key?: ListKey
  /** How many rows there are, when it is known before, counted to the bound: then nothing is counted again. */
  found?: number | undefined
  /**
   * Only the reader's scope narrows the rows, so one plan serves every reader: the size of the page stands in the text of
   * the first page. PostgreSQL makes a new plan for each page whose size and offset are parameters, which takes longer
   * than the page itself. With a filter that is right: a plan for any value takes a rare one for a common one.
   */
  unfiltered?: boolean
}

const pagingNames = new Set([...pagingFields, 'countTo'])

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
  const placed =
    from.values === undefined || key === undefined
      ? matching
      : matching.where(sql<boolean>`${beyond(key, from.values)}`)
  const ordered = (key?.columns ?? []).reduce(
    (query, [column], at) =>
      query
        .orderBy(inSql(column), key?.ascending === true ? 'asc' : 'desc')
        .select(sql`(${inSql(column)})::text`.as(keyName(at))),
    columns(placed),
  )
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

const keyName = (at: number) => `key${at}`

/** The place of a row in its list, as PostgreSQL writes the values. The reply does not have them. */
function takeKey(row: Record<string, unknown>, key: ListKey | undefined): string[] {
  return (key?.columns ?? []).map((_, at) => {
    const value = row[keyName(at)] as string
    delete row[keyName(at)]
    return value
  })
}

const lostCursor = '页码已失效，请回到第一页'
const inSql = (column: SqlColumn) => (typeof column === 'string' ? sql.ref(column) : column)

/** What values of a cursor may look like, as PostgreSQL writes them. */
const forms = {
  number: /^\d{1,18}$/,
  moment: /^\d{4}-[01]\d-[0-3]\d( [0-2]\d:[0-5]\d:[0-5]\d(\.\d{1,6})?\+08)?$/,
  text: /^[0-9A-Za-z]{1,40}$/,
}

const sealCursor = (page: number, values: readonly string[]) =>
  Buffer.from(JSON.stringify([page, ...values])).toString('base64url')

/** Anybody may write one; at worst it names a place in the list that its writer may read anyway. */
function openCursor(cursor: string, key: ListKey | undefined): { page: number; values: string[] } {
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    throw invalid(lostCursor)
  }
  const [page, ...values] = Array.isArray(parts) ? (parts as unknown[]) : []
  const columns = key?.columns ?? []
  const wellMade =
    typeof page === 'number' &&
    Number.isSafeInteger(page) &&
    page > 0 &&
    values.length === columns.length &&
    columns.length > 0 &&
    columns.every(([, holds], at) => isValue(values[at], holds))
  if (!wellMade) throw invalid(lostCursor)
  return { page, values: values as string[] }
}

const isValue = (value: unknown, holds: keyof typeof forms) =>
  typeof value === 'string' &&
  forms[holds].test(value) &&
  (holds !== 'moment' || !Number.isNaN(Date.parse(value.replace(' ', 'T').slice(0, 19))))

/** What comes after the place in the order of the list. */
function beyond({ columns, ascending }: ListKey, values: readonly string[]) {
  const [row, place] = [
    sql.join(columns.map(([column]) => inSql(column))),
    sql.join(values.map((value) => sql`${value}`)),
  ]
  return ascending === true ? sql`(${row}) > (${place})` : sql`(${row}) < (${place})`
}

/** What LIKE takes for the beginning of a text, and for a part of it, with the text's own wildcards disarmed. */
export const beginning = (text: string) => `${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
export const containing = (text: string) => `%${beginning(text)}`
