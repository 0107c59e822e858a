import type { List } from '@wattdeck/contract/kit/list.ts'
import type { DataOf } from '@wattdeck/contract/kit/route.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { type RawBuilder, sql } from 'kysely'
import type { DB } from './db.gen.ts'
import type { Db } from './db.ts'
import { ownedBy, ownerNames } from './ownership.ts'
import { beginning, byId, containing, isUnfiltered, pageOf, type Paging, planByValues } from './paging.ts'
import type { Scope } from './scope.ts'

export type Condition = RawBuilder<boolean>
type Query = Readonly<Record<string, unknown>>
type FindConditions = (query: never, reader: { db: Db; scope: Scope }) => Promise<Condition[]> | Condition[]

export type Source<T extends keyof DB = keyof DB> = {
  table: T
  /** Fields that are no column of the table, in SQL over its row. Money in fen. */
  computed?: Readonly<Record<string, RawBuilder<unknown>>>
  /** Tables that each row has one row of, at most; an inner join leaves out rows that have none. */
  joins?: readonly Join[]
  /** Which rows there are at all: not the removed ones, for example. */
  where?: Condition
  /** Conditions of the owner and the days, where a table has a better way than its columns. */
  place?: FindConditions
  /** Conditions of the filters that are no field. */
  own?: FindConditions
  /** How the rows are ordered, if not newest first. A page is then found by skipping, which only short lists can afford. */
  order?: readonly RawBuilder<unknown>[]
  /** The list has many filters: PostgreSQL plans each page for the values that are given. */
  plansByValues?: boolean
}
type Join = { table: keyof DB; on: Condition; kind?: 'inner' | 'left' }

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
  const [, found] = await Promise.all([
    source.plansByValues === true ? planByValues(db) : undefined,
    pageOf(db, matching, query, {
      ...(source.order === undefined ? { key: byId(`${source.table}.id`) } : {}),
      unfiltered: isUnfiltered(query),
      columns: (rows) =>
        (source.order ?? [])
          .reduce((ordered, column) => ordered.orderBy(column), rows.select(columnsOf(list, source)))
          .$castTo<{ id: string } & Record<string, unknown>>(),
    }),
  ])
  for (const row of found.rows) writeYuan(list, row)
  return found as DataOf<L['routes']['list']>
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
  const row: Record<string, unknown> | undefined = await rows
    .where(sql<boolean>`${sql.ref(`${source.table}.id`)} = ${id}`)
    .select(columnsOf(list, source))
    .executeTakeFirst()
  if (row !== undefined) writeYuan(list, row)
  return row as DataOf<L['routes']['list']>['rows'][number] | undefined
}

/** Turns the fen of a row into the yuan of a reply. */
export function writeYuan({ fields }: List, row: Record<string, unknown>): void {
  for (const [name, { kind }] of Object.entries(fields))
    if (kind === 'money' && row[name] !== null) row[name] = yuanText(BigInt(row[name] as string))
}

/** In the order of `ownerNames`. */
const ownerFields = ['organiseName', 'agentName', 'siteName']

/** The columns of a list's row, for a query of the same table; amounts are in fen. */
export function columnsOf({ fields }: List, source: Source) {
  const shown = Object.entries(fields).filter(([name, { kind }]) => kind !== 'owner' && name !== 'id')
  return [
    sql`${sql.ref(`${source.table}.id`)}`.as('id'),
    ...shown.map(([name, { kind }]) => valueOf(source, name, kind).as(name)),
    ...ownerNames(source.table as 'role').filter((_, level) => fields[ownerFields[level] ?? '']?.kind === 'owner'),
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
  const { from, to } = query
  const day = filter.days === undefined ? sql`` : valueOf(source, filter.days)
  return [
    ...(filter.owner === undefined ? [] : [ownedBy(source.table as 'role', query)]),
    ...(filter.days === undefined || from === undefined ? [] : [sql<boolean>`${day} >= ${from}::date::timestamptz`]),
    ...(filter.days === undefined || to === undefined ? [] : [sql<boolean>`${day} < (${to}::date + 1)::timestamptz`]),
  ]
}

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
