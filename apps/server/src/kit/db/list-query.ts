import type { List } from '@wattdeck/contract/kit/list.ts'
import type { DataOf } from '@wattdeck/contract/kit/route.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { type RawBuilder, sql } from 'kysely'
import type { DB } from './db.gen.ts'
import type { Db } from './db.ts'
import { ownedBy, ownerNames } from './ownership.ts'
import { beginning, byId, containing, isUnfiltered, pageOf, type Paging } from './paging.ts'
import type { Scope } from './scope.ts'
import type { StoredCodes } from './stored-codes.ts'

export type Condition = RawBuilder<boolean>
type Query = Readonly<Record<string, unknown>>
type FindConditions = (query: never, reader: { db: Db; scope: Scope }) => Promise<Condition[]> | Condition[]

export type Source<T extends keyof DB = keyof DB> = {
  table: T
  /** Fields that are no column of the table, in SQL over its row. Money in fen. */
  computed?: Readonly<Record<string, RawBuilder<unknown>>>
  /** Code fields whose column keeps other numbers than the wire. */
  stored?: Readonly<Record<string, StoredCodes>>
  /** Which rows there are at all: not the removed ones, for example. */
  where?: Condition
  /** Conditions of the owner and the days, where a table has a better way than its columns. */
  place?: FindConditions
  /** Conditions of the filters that are no field. */
  own?: FindConditions
}

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
  const start = db.selectFrom(source.table as 'organise')
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
  for (const row of found.rows) writeYuan(list, row)
  return found as DataOf<L['routes']['list']>
}

/** Turns the fen of a row into the yuan of a reply. */
export function writeYuan({ fields }: List, row: Record<string, unknown>): void {
  for (const [name, { kind }] of Object.entries(fields))
    if (kind === 'money' && row[name] !== null) row[name] = yuanText(BigInt(row[name] as string))
}

/** The columns of a list's row, for a query of the same table; amounts are in fen. */
export function columnsOf({ fields }: List, source: Source) {
  const shown = Object.entries(fields).filter(([name, { kind }]) => kind !== 'owner' && name !== 'id')
  return [
    sql`${sql.ref(`${source.table}.id`)}`.as('id'),
    ...shown.map(([name, { kind }]) => shownValue(source, name, kind).as(name)),
    ...(Object.values(fields).some(({ kind }) => kind === 'owner') ? ownerNames(source.table as 'role') : []),
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

function placeConditions(
  db: Db,
  scope: Scope,
  { filter }: List,
  source: Source,
  query: Query,
): Promise<Condition[]> | Condition[] {
  if (source.place !== undefined) return source.place(query as never, { db, scope })
  // The kit has no condition for days: a declared filter must not be ignored silently.
  if (filter.days !== undefined) throw new Error(`${source.table}: a list with days needs a source with place`)
  return filter.owner === undefined ? [] : [ownedBy(source.table as 'role', query)]
}

const storedValue = ({ stored }: Source, name: string, value: unknown) => {
  const codes = stored?.[name]
  return codes === undefined ? value : codes.numberOf(value as string)
}

function fieldConditions({ fields, filter }: List, source: Source, query: Query): Condition[] {
  const value = (name: string) => valueOf(source, name, fields[name]?.kind)
  const exact = (filter.exact ?? [])
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
