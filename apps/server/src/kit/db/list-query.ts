import { type List, regionNames } from '@wattdeck/contract/kit/list.ts'
import type { DataOf } from '@wattdeck/contract/kit/route.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { DB } from './db.gen.ts'
import type { Db } from './db.ts'
import { ownedBy, ownerNames } from './ownership.ts'
import {
  beginning,
  byId,
  containing,
  isUnfiltered,
  type ListKey,
  pageOf,
  type Paging,
  planByValues,
  sortKey,
  type Sorts,
} from './paging.ts'
import type { Scope } from './scope.ts'
import type { StoredCodes } from './stored-codes.ts'

export type Condition = RawBuilder<boolean>
type Query = Readonly<Record<string, unknown>>
type FindConditions = (query: never, reader: { db: Db; scope: Scope }) => Promise<Condition[]> | Condition[]

export type Source<T extends keyof DB = keyof DB> = {
  table: T
  /** Fields that are not columns of the table, as SQL over its row. Money in fen. */
  computed?: Readonly<Record<string, RawBuilder<unknown>>>
  /** Code fields whose column stores other numbers than the wire uses. */
  stored?: Readonly<Record<string, StoredCodes>>
  /** Joined tables with at most one row for each row. An inner join excludes rows without one. */
  joins?: readonly Join[]
  /** Fields that are computed in code: their values for the rows of a page, in the order of the rows. */
  fill?: Readonly<Record<string, Fill>>
  /** The time column of the order, newest first, when it differs from the order of the ids. */
  newestBy?: string
  /** Integer expressions of the order, highest first, when neither id nor time define it. They need an index. */
  rank?: readonly RawBuilder<unknown>[]
  /** Columns for each field of `sorts` in the declaration. They must be a prefix of an index. */
  sorts?: Sorts
  /** Condition of every row, for example that it is not removed. */
  where?: Condition
  /** Conditions of owner and days, when the columns of the table are not suitable. */
  place?: FindConditions
  /** Conditions of filters that are not fields. */
  own?: FindConditions
  /**
   * An order without keyset pagination. Pages are then found by offset, which suits short lists only. Such a list has no cursor,
   * so it cannot be exported.
   */
  order?: readonly RawBuilder<unknown>[]
  /** For a list with many filters: PostgreSQL plans each page for its values. */
  plansByValues?: boolean
  /** Completes a row with values that SQL cannot compute. */
  complete?: (row: never) => void
}
type Join = { table: keyof DB; on: Condition; kind?: 'inner' | 'left' }

type Fill = (rows: never, db: Db) => Promise<readonly unknown[]> | readonly unknown[]
type Row = { id: string } & Record<string, unknown>

/** The condition of an optional filter. */
export const ifGiven = <V>(value: V | undefined, condition: (value: V) => Condition): Condition[] =>
  value === undefined ? [] : [condition(value)]

/** The column of a field: its name in snake_case, for money with its unit. */
export const columnOf = (name: string, kind?: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) + (kind === 'money' ? '_fen' : '')

/** Selects the rows of a filter, for a page, an export or a sum. */
export async function matchingRows(db: Db, scope: Scope, list: List, source: Source, query: Query) {
  const conditions = [
    ...(source.where === undefined ? [] : [source.where]),
    ...(await placeConditions(db, scope, list, source, query)),
    ...((await source.own?.(query as never, { db, scope })) ?? []),
    ...fieldConditions(list, source, query),
  ]
  // The builder's type needs one table; conditions and columns name the real one.
  const start = (source.joins ?? []).reduce(
    (rows, { table, on, kind }) =>
      kind === 'left'
        ? (rows.leftJoin(table as 'agent', (join) => join.on(on)) as unknown as typeof rows)
        : (rows.innerJoin(table as 'agent', (join) => join.on(on)) as unknown as typeof rows),
    db.selectFrom(source.table as 'organise'),
  )
  return conditions.length === 0 ? start : start.where(sql<boolean>`${sql.join(conditions, sql` and `)}`)
}

/** One page of a list of `defineList`, with the filters and columns that its declaration names. */
export async function listQuery<L extends List>(
  db: Db,
  scope: Scope,
  list: L,
  source: Source,
  query: Query & Paging,
): Promise<DataOf<L['routes']['list']>> {
  const matching = await matchingRows(db, scope, list, source, query)
  if (source.plansByValues === true) await planByValues(db)
  return pageOfList(db, list, source, matching, query)
}

/** One row of the list by its id. */
export async function readRow<L extends List>(
  db: Db,
  scope: Scope,
  list: L,
  source: Source,
  id: string,
): Promise<DataOf<L['routes']['list']>['rows'][number] | undefined> {
  const rows = await matchingRows(db, scope, list, source, {})
  const row = await rows
    .where(sql<boolean>`${sql.ref(`${source.table}.id`)} = ${id}`)
    .select(columnsOf(list, source))
    .$castTo<Row>()
    .executeTakeFirst()
  if (row !== undefined) await completeRows(db, list, source, [row])
  return row as DataOf<L['routes']['list']>['rows'][number] | undefined
}

/** One page of rows that the caller has selected. `found` is their number, when it is known in advance. */
export async function pageOfList<L extends List, TB extends keyof DB, O>(
  db: Db,
  list: L,
  source: Source,
  matching: SelectQueryBuilder<DB, TB, O>,
  query: Query & Paging,
  found?: number,
): Promise<DataOf<L['routes']['list']>> {
  const { order } = source
  const key = sortKey(source.sorts, query['sort'], `${source.table}.id`) ?? usualKey(source)
  const page = await pageOf(db, matching, query, {
    found,
    ...(order === undefined ? { key } : {}),
    unfiltered: isUnfiltered(query),
    columns: (rows) =>
      (order ?? []).reduce((sorted, by) => sorted.orderBy(by), rows.select(columnsOf(list, source)).$castTo<Row>()),
  })
  await completeRows(db, list, source, page.rows)
  return page as DataOf<L['routes']['list']>
}

function usualKey({ table, newestBy, rank }: Source): ListKey {
  if (rank !== undefined) return { columns: rank.map((column) => [column, 'number']) }
  const id = byId(`${table}.id`)
  return newestBy === undefined ? id : { columns: [[newestBy, 'moment'], ...id.columns] }
}

/** Adds the values that SQL does not compute: amounts in yuan and the fields of `fill`. */
async function completeRows(db: Db, list: List, source: Source, rows: readonly Row[]): Promise<void> {
  for (const row of rows) completeRow(list, source, row)
  for (const [name, valuesOf] of Object.entries(source.fill ?? {})) {
    const values = await valuesOf(rows as never, db)
    for (const [at, row] of rows.entries()) row[name] = values[at]
  }
}

/** Converts a row of the query to a row of the reply. */
export function completeRow(list: Pick<List, 'fields'>, source: Source, row: Record<string, unknown>): void {
  writeYuan(list, row)
  source.complete?.(row as never)
}

/** Converts the fen of a row to the yuan of a reply. */
export function writeYuan({ fields }: Pick<List, 'fields'>, row: Record<string, unknown>): void {
  for (const [name, { kind }] of Object.entries(fields))
    if (kind === 'money' && row[name] !== null) row[name] = yuanText(BigInt(row[name] as string))
}

/** In the order of `ownerNames`. */
const ownerFields = ['organiseName', 'agentName', 'siteName']

/** The columns of a list's row, for a query of the same table; amounts are in fen. */
export function columnsOf({ fields }: Pick<List, 'fields'>, source: Source) {
  const { fill = {} } = source
  const shown = Object.entries(fields).filter(
    ([name, { kind }]) => kind !== 'owner' && kind !== 'derived' && name !== 'id' && fill[name] === undefined,
  )
  return [
    sql`${sql.ref(`${source.table}.id`)}`.as('id'),
    ...shown.map(([name, { kind }]) => shownValue(source, name, kind).as(name)),
    ...ownerNames(source.table as 'role').filter((_, level) => fields[ownerFields[level] ?? '']?.kind === 'owner'),
  ]
}

const shownValue = (source: Source, name: string, kind?: string): RawBuilder<unknown> => {
  const value = valueOf(source, name, kind)
  return source.stored?.[name]?.codeIn(value) ?? value
}

const valueOf = ({ table, computed }: Source, name: string, kind?: string): RawBuilder<unknown> => {
  if (computed?.[name] !== undefined) return computed[name]
  const column = sql`${sql.ref(`${table}.${columnOf(name, kind)}`)}`
  return kind === 'day' ? sql`${column}::text` : column
}

/** The `place` of a table with owners. Repeats the reader's organisation besides row-level security, for the index. */
export const organisePlace =
  (table: keyof DB): FindConditions =>
  (query: Query, { scope }) => [
    ...(scope.level > 0 ? [sql<boolean>`${sql.ref(`${table}.organise_id`)} = ${scope.organiseId}`] : []),
    ownedBy(table as 'role', query),
  ]

function placeConditions(
  db: Db,
  scope: Scope,
  { filter }: List,
  source: Source,
  query: Query,
): Promise<Condition[]> | Condition[] {
  if (source.place !== undefined) return source.place(query as never, { db, scope })
  return [
    ...(filter.owner === undefined ? [] : [ownedBy(source.table as 'role', query)]),
    ...(filter.days === undefined ? [] : betweenDays(valueOf(source, filter.days), query)),
  ]
}

const storedValue = ({ stored }: Source, name: string, value: unknown) => {
  const codes = stored?.[name]
  return codes === undefined ? value : codes.numberOf(value as string)
}

/** The days of a moment, both ends inclusive. */
const betweenDays = (moment: RawBuilder<unknown>, { from, to }: { from?: unknown; to?: unknown }): Condition[] => [
  ...(from === undefined ? [] : [sql<boolean>`${moment} >= ${from}::date::timestamptz`]),
  ...(to === undefined ? [] : [sql<boolean>`${moment} < (${to}::date + 1)::timestamptz`]),
]

function fieldConditions({ fields, filter }: List, source: Source, query: Query): Condition[] {
  const value = (name: string) => valueOf(source, name, fields[name]?.kind)
  const exact = [...(filter.exact ?? []), ...(filter.region === undefined ? [] : regionNames)]
    .filter((name) => query[name] !== undefined)
    .map((name) => sql<boolean>`${value(name)} = ${storedValue(source, name, query[name])}`)
  const keyword = query['keyword']
  if (filter.keyword === undefined || typeof keyword !== 'string') return exact
  const { contains = [], begins = [] } = filter.keyword
  const parts = [
    ...contains.map((name) => sql`${value(name)} ilike ${containing(keyword)}`),
    ...begins.map((name) => sql`${value(name)} ilike ${beginning(keyword)}`),
  ]
  return [...exact, sql<boolean>`(${sql.join(parts, sql` or `)})`]
}
