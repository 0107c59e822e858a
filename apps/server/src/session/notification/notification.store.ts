import type { Notification, notification } from '@wattdeck/contract/session/notification.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db.ts'
import { pageOf } from '../../kit/paging.ts'
import type { Scope } from '../../kit/scope.ts'

const own = (db: Db, userId: string) => db.selectFrom('notification').where('notification.user_id', '=', userId)

export async function listNotifications(
  db: Db,
  _scope: Scope,
  userId: string,
  filter: QueryOf<typeof notification.list>,
) {
  const { unread } = filter
  const matching = own(db, userId).$if(unread !== undefined, (query) =>
    query.where('read_at', unread === true ? 'is' : 'is not', null),
  )
  const [page, waiting] = await Promise.all([
    pageOf(db, matching, filter, (query) =>
      query
        .select(['id', 'title', 'body', 'route', 'created_at as createdAt'])
        .select([sql<Notification['type']>`type`.as('type'), sql<boolean>`read_at is not null`.as('read')])
        .orderBy('id', 'desc'),
    ),
    own(db, userId)
      .select(sql<number>`count(*)::int`.as('count'))
      .where('read_at', 'is', null)
      .executeTakeFirstOrThrow(),
  ])
  return { ...page, unreadCount: waiting.count }
}

export async function countOwn(db: Db, _scope: Scope, userId: string, ids: readonly string[]): Promise<number> {
  const { count } = await own(db, userId)
    .select(sql<number>`count(*)::int`.as('count'))
    .where('id', '=', sql<string>`any(${ids})`)
    .executeTakeFirstOrThrow()
  return count
}

/** Without ids: all of them. What was read before keeps its time. */
export async function markRead(db: Db, _scope: Scope, userId: string, ids: readonly string[] | undefined) {
  await db
    .updateTable('notification')
    .set({ read_at: sql<string>`now()` })
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .$if(ids !== undefined, (query) => query.where('id', '=', sql<string>`any(${ids})`))
    .execute()
}
