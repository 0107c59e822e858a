import type { OwnSession } from '@wattdeck/contract/personal/own-session.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { isOpen } from '../../../kit/auth/session-store.ts'

/** The open sessions of a person, the latest used first. Logins that were not finished are no sessions yet. */
export async function listOwnSessions(
  db: Db,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<OwnSession[]> {
  return db
    .selectFrom('session')
    .leftJoin('user_account as opener', 'opener.id', 'session.acted_by')
    .select([
      'session.id',
      'session.user_agent as userAgent',
      'session.created_at as createdAt',
      'session.last_seen_at as lastSeenAt',
    ])
    .select([
      sql<OwnSession['openedBy']>`session.opened_by`.as('openedBy'),
      sql<OwnSession['factor']>`session.factor`.as('factor'),
      sql<string | null>`host(session.ip)`.as('ip'),
      // A person of the platform is not visible from here.
      sql<string | null>`case when session.acted_by is not null then coalesce(opener.name, '平台管理员') end`.as(
        'actedBy',
      ),
      sql<boolean>`session.id = ${sessionId}`.as('isCurrent'),
    ])
    .where('session.user_id', '=', userId)
    .where('session.stage', '=', 'full')
    .where(sql<boolean>`${sql.raw(isOpen('session'))}`)
    .orderBy('session.last_seen_at', 'desc')
    .orderBy('session.id', 'desc')
    .limit(100)
    .execute()
}

/** Ends one session of this person and answers the hash of its token, or nothing when it is not open or not theirs. */
export async function endOneSession(db: Db, userId: string, id: string): Promise<Buffer | undefined> {
  const ended = await db
    .updateTable('session')
    .set({ ended_at: sql<string>`now()` })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .returning('token_hash')
    .executeTakeFirst()
  return ended?.token_hash
}
