import { countBound, pagingFields } from '@wattdeck/contract/kit/page.ts'
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Db } from './db.ts'

/** The number of rows with a keyword, counted up to the bound, and their ids unless they exceed it. */
export type Search = { found: number; ids: string[] | null }

/**
 * Searches a keyword before the list is read. Few rows are selected by id. For many rows it is faster to scan the list in
 * order and test each row.
 */
export async function searchKeyword(db: Db, hits: Expression<{ id: string }>): Promise<Search> {
  const { rows } = await sql<Search>`
    select count(distinct id)::int as found,
      case when count(*) <= ${countBound} then coalesce(array_agg(distinct id), '{}')::text[] end as ids
    from (select id from (${hits}) hit limit ${countBound + 1}) taken`.execute(db)
  const [search] = rows
  if (search === undefined) throw new Error('the search query returned no row')
  return search
}

/** The total of a list when only the searched filters and the organisation restrict it. */
export function knownTotal(search: Search | undefined, filter: object, ...lookedUp: string[]): number | undefined {
  const aside = new Set<string>([...pagingFields, 'countTo', 'organiseId', ...lookedUp])
  const alone = Object.entries(filter).every(([name, value]) => value === undefined || aside.has(name))
  return alone ? search?.found : undefined
}

/** Sorts after every text with the same prefix. */
export const beyondAll = String.fromCodePoint(0x10ffff)

/** Prefix condition as a range. Behind row-level security an index supports a range but not LIKE. */
export const beginsWith = (column: string, start: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(column)} >= ${start} and ${sql.ref(column)} < ${start + beyondAll})`
