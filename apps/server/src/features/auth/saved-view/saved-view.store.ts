import type { Expression, SqlBool } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { insertUnlessTaken, isTaken, lockRow } from '../../../kit/db/rows.ts'

type Place = { organise_id: string; agent_id: string | null; site_id: string | null }
type Whose = { userId: string; listKey: string }

/** One's own, and what those at the very same place share: row security alone would show what stands below, too. */
export const listViews = (db: Db, { userId, listKey }: Whose, place: Place) =>
  db
    .selectFrom('saved_view')
    .select(['id', 'name', 'query', 'shared', 'user_id', 'is_default', 'created_by'])
    .where('list_key', '=', listKey)
    .where((view): Expression<SqlBool> => {
      const samePlace = view.and([
        view('shared', '=', true),
        view('organise_id', '=', place.organise_id),
        view('agent_id', 'is not distinct from', place.agent_id),
        view('site_id', 'is not distinct from', place.site_id),
      ])
      return view.or([view('user_id', '=', userId), samePlace])
    })
    .orderBy(sql`user_id = ${userId}`, 'desc')
    .orderBy('sort')
    .orderBy('id')
    .execute()

/** How many a person has for a list; their own row is locked, so that two requests at once do not both find room. */
export async function countOwn(db: Db, { userId, listKey }: Whose) {
  await db.selectFrom('user_account').select('id').where('id', '=', userId).forUpdate().execute()
  const { count, last } = await db
    .selectFrom('saved_view')
    .select([sql<number>`count(*)::int`.as('count'), sql<number>`coalesce(max(sort), 0)`.as('last')])
    .where('user_id', '=', userId)
    .where('list_key', '=', listKey)
    .executeTakeFirstOrThrow()
  return { count, last }
}

type Draft = Whose & { place: Place; name: string; query: string; shared: boolean; sort: number; createdBy: string }

/** Undefined: the name is taken. */
export async function addView(db: Db, draft: Draft): Promise<string | undefined> {
  const { place, userId, listKey, name, query, shared, sort, createdBy } = draft
  const values = { ...place, user_id: userId, list_key: listKey, name, query, shared, sort, created_by: createdBy }
  return insertUnlessTaken(db, 'saved_view', values, ['user_id', 'list_key', 'name'])
}

/** A view in scope, locked for the change that follows. */
export const findView = (db: Db, id: string) =>
  lockRow(db, 'saved_view', id, ['id', 'user_id', 'organise_id', 'agent_id', 'site_id', 'list_key', 'shared'])

export const nameTaken = (db: Db, { userId, listKey }: Whose, name: string, but: string) =>
  isTaken(db, 'saved_view', { user_id: userId, list_key: listKey, name }, but)

type Changes = { name?: string | undefined; query?: string | undefined; shared?: boolean | undefined }
/** What is left out stays as it is; one text for all of them keeps the statement the same. */
export async function editView(db: Db, id: string, { name, query, shared }: Changes) {
  await db
    .updateTable('saved_view')
    .set({
      name: sql<string>`coalesce(${name ?? null}, name)`,
      query: sql<string>`coalesce(${query ?? null}, query)`,
      shared: sql<boolean>`coalesce(${shared ?? null}::boolean, shared)`,
    })
    .where('id', '=', id)
    .execute()
}

/** A list opens with one view at most: the others are taken back first. */
export async function setDefault(db: Db, { userId, listKey }: Whose, id: string, isDefault: boolean) {
  const own = db.updateTable('saved_view').where('user_id', '=', userId).where('list_key', '=', listKey)
  if (isDefault) await own.set({ is_default: false }).where('is_default', '=', true).where('id', '<>', id).execute()
  await own.set({ is_default: isDefault }).where('id', '=', id).execute()
}

/** Whether all of them are the person's own. */
export async function orderViews(db: Db, { userId, listKey }: Whose, ids: readonly string[]) {
  const ordered = await db
    .updateTable('saved_view')
    .set({ sort: sql<number>`array_position(${ids}::bigint[], id)` })
    .where('user_id', '=', userId)
    .where('list_key', '=', listKey)
    .where('id', '=', sql<string>`any(${ids})`)
    .executeTakeFirst()
  return Number(ordered.numUpdatedRows) === new Set(ids).size
}

export async function removeView(db: Db, id: string) {
  await db.deleteFrom('saved_view').where('id', '=', id).execute()
}
