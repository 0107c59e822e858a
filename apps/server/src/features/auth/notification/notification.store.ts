import {
  type Notification,
  type notification,
  type NotificationPreference,
  popupType,
} from '@wattdeck/contract/auth/notification.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { byId, pageOf } from '../../../kit/db/paging.ts'

const own = (db: Db, userId: string) => db.selectFrom('notification').where('notification.user_id', '=', userId)

export async function listNotifications(db: Db, userId: string, filter: QueryOf<typeof notification.list>) {
  const { unread } = filter
  const matching = own(db, userId).$if(unread !== undefined, (query) =>
    query.where('read_at', unread === true ? 'is' : 'is not', null),
  )
  const [page, waiting] = await Promise.all([
    pageOf(db, matching, filter, {
      key: byId('notification.id'),
      columns: (query) =>
        query
          .select(['id', 'title', 'body', 'route', 'created_at as createdAt'])
          .select([sql<Notification['type']>`type`.as('type'), sql<boolean>`read_at is not null`.as('read')]),
    }),
    own(db, userId)
      .select(sql<number>`count(*)::int`.as('count'))
      .where('read_at', 'is', null)
      .executeTakeFirstOrThrow(),
  ])
  return { ...page, unreadCount: waiting.count }
}

export async function countOwn(db: Db, userId: string, ids: readonly string[]): Promise<number> {
  const { count } = await own(db, userId)
    .select(sql<number>`count(*)::int`.as('count'))
    .where('id', '=', sql<string>`any(${ids})`)
    .executeTakeFirstOrThrow()
  return count
}

/** Without ids: all. Notifications that were read before keep their time. */
export async function markRead(db: Db, userId: string, ids: readonly string[] | undefined) {
  await db
    .updateTable('notification')
    .set({ read_at: sql<string>`now()` })
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .$if(ids !== undefined, (query) => query.where('id', '=', sql<string>`any(${ids})`))
    .execute()
}

/** All types; a type without a row pops up. */
export async function readPreferences(db: Db, userId: string): Promise<NotificationPreference[]> {
  const rows = await db
    .selectFrom('notification_preference')
    .select(['type', 'popup'])
    .where('user_id', '=', userId)
    .execute()
  const byType = new Map(rows.map(({ type, popup }) => [type, popup]))
  return popupType.options.map(({ value }) => ({ type: value, popup: byType.get(value) ?? true }))
}

type Preference = {
  user_id: string
  organise_id: string
  agent_id: string | null
  site_id: string | null
  type: number
  popup: boolean
}

export async function savePreference(db: Db, preference: Preference): Promise<void> {
  await db
    .insertInto('notification_preference')
    .values(preference)
    .onConflict((clash) => clash.columns(['user_id', 'type']).doUpdateSet({ popup: preference.popup }))
    .execute()
}
