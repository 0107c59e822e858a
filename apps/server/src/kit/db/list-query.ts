import type { Crud } from '@wattdeck/contract/kit/crud.ts'
import type { DataOf } from '@wattdeck/contract/kit/route.ts'
import { type RawBuilder, sql } from 'kysely'
import type { DB } from './db.gen.ts'
import type { Db } from './db.ts'
import { beginning, byId, containing, pageOf, type Paging } from './paging.ts'
import type { Scope } from './scope.ts'

export type Source<T extends keyof DB = keyof DB> = {
  table: T
  /** Fields that are no column of the table, in SQL over its row. */
  computed?: Readonly<Record<string, RawBuilder<unknown>>>
}

/** The column of a field: its name in snake_case. */
export const columnOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

type Query = Paging & Readonly<Record<string, unknown>>

/** One page of a list of `defineCrud`, with the filters and columns that its declaration names. */
export async function listQuery<C extends Crud>(
  db: Db,
  _scope: Scope,
  crud: C,
  source: Source,
  query: Query,
): Promise<DataOf<C['routes']['list']>> {
  const column = (name: string) => sql.ref(`${source.table}.${columnOf(name)}`)
  // The builder's type needs one table; conditions and columns name the real one.
  const start = db.selectFrom(source.table as 'organise')
  const matching = conditionsOf(crud, query, column).reduce((found, condition) => found.where(condition), start)
  const columns = Object.keys(crud.fields).map((name) => (source.computed?.[name] ?? sql`${column(name)}`).as(name))
  return pageOf(db, matching, query, {
    key: byId(`${source.table}.id`),
    columns: (found) => found.select([sql`${column('id')}`.as('id'), ...columns]).$castTo<{ id: string }>(),
  }) as Promise<DataOf<C['routes']['list']>>
}

function conditionsOf(
  { filter }: Crud,
  query: Query,
  column: (name: string) => RawBuilder<unknown>,
): RawBuilder<boolean>[] {
  const exact = (filter.exact ?? [])
    .filter((name) => query[name] !== undefined)
    .map((name) => sql<boolean>`${column(name)} = ${query[name]}`)
  const keyword = query['keyword']
  if (filter.keyword === undefined || typeof keyword !== 'string') return exact
  const { contains = [], begins = [] } = filter.keyword
  const parts = [
    ...contains.map((name) => sql`${column(name)} ilike ${containing(keyword)}`),
    ...begins.map((name) => sql`${column(name)} ilike ${beginning(keyword)}`),
  ]
  return [...exact, sql<boolean>`(${sql.join(parts, sql` or `)})`]
}
