import type { List } from '@wattdeck/contract/kit/list.ts'
import type { DataOf } from '@wattdeck/contract/kit/route.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { DB } from './db.gen.ts'
import type { Db } from './db.ts'
import { ownedBy, ownerNames } from './ownership.ts'
import { beginning, byId, containing, isUnfiltered, pageOf, type Paging } from './paging.ts'
import type { Scope } from './scope.ts'

export type Condition = RawBuilder<boolean>
type Query = Readonly<Record<string, unknown>>
type FindConditions = (query: never, reader: { db: Db; scope: Scope }) => Promise<Condition[]> | Condition[]

export type Source<T extends keyof DB = keyof DB> = {
  table: T
  /** Fields that are no column of the table, in SQL over its row. Money in fen. */
  computed?: Readonly<Record<string, RawBuilder<unknown>>>
  /** Which rows there are at all: not the removed ones, for example. */
  where?: Condition
  /** Adds joins to the query of the table: `(rows: Rows<'table'>) => rows.leftJoin(…)`. */
  join?: (rows: never) => unknown
  /** Conditions of the owner and the days, where a table has a better way than its columns. */
  place?: FindConditions
  /** Conditions of the filters that are no field. */
  own?: FindConditions
  /** Writes into a row what SQL cannot say. */
  complete?: (row: never) => void
}

/** The query of a table, before anything is selected. */
export type Rows<T extends keyof DB> = SelectQueryBuilder<DB, T, object>

/** The column of a field: its name in snake_case, for money with its unit. */
export const columnOf = (name: string, kind?: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) + (kind === 'money' ? '_fen' : '')

/** The rows that a filter finds, for a page of them, a file or a sum. */
export async function matchingRows(db: Db, scope: Scope, list: List, source: Source, query: Query) {
  const conditions = [
    ...(source.where === undefined ? [] : [source.where]),
    ...(await placeConditions(db, scope, list, source, query)),
    ...((await source.own?.(query as never, { db, scope })) ?? []),
    ...fieldConditions(list, source, query),
  ]
  // The builder's type needs one table; conditions and columns name the real one.
  const table = db.selectFrom(source.table as 'organise')
  const start = source.join === undefined ? table : (source.join(table as never) as typeof table)
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
  const found = await pageOf(db, await matchingRows(db, scope, list, source, query), query, {
    key: byId(`${source.table}.id`),
    unfiltered: isUnfiltered(query),
    columns: (rows) => rows.select(columnsOf(list, source)).$castTo<{ id: string } & Record<string, unknown>>(),
  })
  for (const row of found.rows) completeRow(list, source, row)
  return found as DataOf<L['routes']['list']>
}

/** Makes a row of the query a row of the reply. */
export function completeRow(list: Pick<List, 'fields'>, source: Source, row: Record<string, unknown>): void {
  writeYuan(list, row)
  source.complete?.(row as never)
}

/** Turns the fen of a row into the yuan of a reply. */
export function writeYuan({ fields }: Pick<List, 'fields'>, row: Record<string, unknown>): void {
  for (const [name, { kind }] of Object.entries(fields))
    if (kind === 'money' && row[name] !== null) row[name] = yuanText(BigInt(row[name] as string))
}

/** The columns of a list's row, for a query of the same table; amounts are in fen. */
export function columnsOf({ fields }: Pick<List, 'fields'>, source: Source) {
  const shown = Object.entries(fields).filter(
    ([name, { kind }]) => kind !== 'owner' && kind !== 'derived' && name !== 'id',
  )
  return [
    sql`${sql.ref(`${source.table}.id`)}`.as('id'),
    ...shown.map(([name, { kind }]) => valueOf(source, name, kind).as(name)),
    ...(Object.values(fields).some(({ kind }) => kind === 'owner') ? ownerNames(source.table as 'role') : []),
  ]
}

const valueOf = ({ table, computed }: Source, name: string, kind?: string): RawBuilder<unknown> => {
  if (computed?.[name] !== undefined) return computed[name]
  const column = sql`${sql.ref(`${table}.${columnOf(name, kind)}`)}`
  return kind === 'day' ? sql`${column}::text` : column
}

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
    ...(filter.days === undefined ? [] : betweenDays(`${source.table}.${columnOf(filter.days)}`, query)),
  ]
}

/** The days of a moment, both ends counted. */
const betweenDays = (column: string, { from, to }: { from?: unknown; to?: unknown }): Condition[] => [
  ...(from === undefined ? [] : [sql<boolean>`${sql.ref(column)} >= ${from}::date::timestamptz`]),
  ...(to === undefined ? [] : [sql<boolean>`${sql.ref(column)} < (${to}::date + 1)::timestamptz`]),
]

function fieldConditions({ fields, filter }: List, source: Source, query: Query): Condition[] {
  const value = (name: string) => valueOf(source, name, fields[name]?.kind)
  const exact = (filter.exact ?? [])
    .filter((name) => query[name] !== undefined)
    .map((name) => sql<boolean>`${value(name)} = ${query[name]}`)
  const keyword = query['keyword']
  if (filter.keyword === undefined || typeof keyword !== 'string') return exact
  const { contains = [], begins = [] } = filter.keyword
  const parts = [
    ...contains.map((name) => sql`${value(name)} ilike ${containing(keyword)}`),
    ...begins.map((name) => sql`${value(name)} ilike ${beginning(keyword)}`),
  ]
  return [...exact, sql<boolean>`(${sql.join(parts, sql` or `)})`]
}
