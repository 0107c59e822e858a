import type { Expression, SqlBool } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { insertUnlessDuplicate, otherRowExists, lockRow } from '../../../kit/db/rows.ts'

type Place = { organise_id: string; agent_id: string | null; site_id: string | null }
type Whose = { userId: string; listKey: string }

/** The user's own views and those shared at the same place. Row-level security alone would also show places below. */
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

/**
 * Counts a person's views of a list. The user's row is locked, so that two concurrent requests cannot both pass the
 * limit.
 */
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

/** Returns undefined if the name is taken. */
export async function addView(db: Db, draft: Draft): Promise<string | undefined> {
  const { place, userId, listKey, name, query, shared, sort, createdBy } = draft
  const values = { ...place, user_id: userId, list_key: listKey, name, query, shared, sort, created_by: createdBy }
  return insertUnlessDuplicate(db, 'saved_view', values, ['user_id', 'list_key', 'name'])
}

/** A view in scope, locked for the change that follows. */
export const findView = (db: Db, id: string) =>
  lockRow(db, 'saved_view', id, ['id', 'user_id', 'organise_id', 'agent_id', 'site_id', 'list_key', 'shared'])

export const isNameTaken = (db: Db, { userId, listKey }: Whose, name: string, but: string) =>
  otherRowExists(db, 'saved_view', { user_id: userId, list_key: listKey, name }, but)

type Changes = { name?: string | undefined; query?: string | undefined; shared?: boolean | undefined }
/** Omitted fields keep their value. One statement text serves all combinations. */
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

/** A list has one default view at most, so the previous default is cleared first. */
export async function setDefault(db: Db, { userId, listKey }: Whose, id: string, isDefault: boolean) {
  const own = db.updateTable('saved_view').where('user_id', '=', userId).where('list_key', '=', listKey)
  if (isDefault) await own.set({ is_default: false }).where('is_default', '=', true).where('id', '<>', id).execute()
  await own.set({ is_default: isDefault }).where('id', '=', id).execute()
}

/** Returns false if any of the views belongs to another person. */
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
