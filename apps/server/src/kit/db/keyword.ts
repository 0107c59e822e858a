import { countBound, pagingFields } from '@wattdeck/contract/kit/page.ts'
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Db } from './db.ts'

/** How many rows a keyword finds, counted no further than the bound, and which, when they are few enough to name. */
export type Search = { found: number; ids: string[] | null }

/**
 * Looks a keyword up before the list is read: few rows are taken as they are; of many, a page is found sooner by
 * walking the list and reading what the keyword is looked for in.
 */
export async function searchKeyword(db: Db, hits: Expression<{ id: string }>): Promise<Search> {
  const { rows } = await sql<Search>`
    select count(distinct id)::int as found,
      case when count(*) <= ${countBound} then coalesce(array_agg(distinct id), '{}')::text[] end as ids
    from (select id from (${hits}) hit limit ${countBound + 1}) taken`.execute(db)
  const [search] = rows
  if (search === undefined) throw new Error('a search answered nothing')
  return search
}

/** How many rows a list has, when nothing but what was looked up, and the organisation, narrows it. */
export function foundAlone(search: Search | undefined, filter: object, ...lookedUp: string[]): number | undefined {
  const aside = new Set<string>([...pagingFields, 'countTo', 'organiseId', ...lookedUp])
  const alone = Object.entries(filter).every(([name, value]) => value === undefined || aside.has(name))
  return alone ? search?.found : undefined
}

/** Behind every text that begins with what stands before it. */
export const beyondAll = String.fromCodePoint(0x10ffff)

/** Texts that begin so, as a range: an index serves it behind row security, where it does not serve LIKE. */
export const beginsWith = (column: string, start: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(column)} >= ${start} and ${sql.ref(column)} < ${start + beyondAll})`
