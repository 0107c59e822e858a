import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { isOpen, type SessionStore } from './session-store.ts'
import { publishLiveToMany } from '../events/outbox.ts'
import { sha256 } from './tokens.ts'

type Doing = { db: Db; afterCommit: (work: () => Promise<void>) => void }

/** Ends every open session of these people in this transaction. Caches and consoles are notified after the commit. */
export async function endSessions(
  { db, afterCommit }: Doing,
  sessions: SessionStore,
  userIds: readonly string[],
): Promise<void> {
  const ended = await db
    .updateTable('session')
    .set({ ended_at: sql<string>`now()` })
    .where('user_id', '=', sql<string>`any(${userIds})`)
    .where('ended_at', 'is', null)
    .returning(['token_hash', 'user_id', 'organise_id', 'agent_id', 'site_id'])
    .execute()
  const people = new Map(ended.map((session) => [session.user_id, session]))
  const receivers = [...people].map(([userId, place]) => ({ ...place, userId }))
  await publishLiveToMany(db, receivers, () => ({ kind: 'revoked' }))
  afterCommit(() => sessions.forget(ended.map((session) => session.token_hash)))
}

type Own = Doing & { actor: { sessionId: string; userId: string }; request: { token: string } }

/** Ends the caller's session. */
export async function endOwnSession({ db, actor, request, afterCommit }: Own, sessions: SessionStore): Promise<void> {
  await db
    .updateTable('session')
    .set({ ended_at: sql<string>`now()` })
    .where('id', '=', actor.sessionId)
    .where('ended_at', 'is', null)
    .execute()
  afterCommit(() => sessions.forget([sha256(request.token)]))
}

/** Ends all other sessions of the caller and returns their number. */
export async function endOtherSessions({ db, actor, afterCommit }: Own, sessions: SessionStore): Promise<number> {
  const ended = await db
    .updateTable('session')
    .set({ ended_at: sql<string>`now()` })
    .where('user_id', '=', actor.userId)
    .where('id', '<>', actor.sessionId)
    .where('ended_at', 'is', null)
    .returning('token_hash')
    .execute()
  afterCommit(() => sessions.forget(ended.map((session) => session.token_hash)))
  return ended.length
}

/**
 * Ends the oldest sessions of a person beyond `most`, after a new one was opened. Incomplete logins and sessions of
 * quick-login links are counted separately. Neither a stolen password nor a link therefore ends the owner's sessions.
 */
export async function endExcessSessions(
  { db, afterCommit }: Doing,
  sessions: SessionStore,
  opened: { userId: string; isFull: boolean; isLink: boolean },
  most: number,
): Promise<void> {
  const { rows } = await sql<{ token_hash: Buffer }>`
    update session set ended_at = now()
    where id = any(array(
      select id from session
      where user_id = ${opened.userId}
        and ended_at is null
        and (stage = 'full') = ${opened.isFull}
        and (acted_by is not null) = ${opened.isLink}
      order by ${sql.raw(isOpen('session'))} desc, id desc
      offset ${most}
    ))
    returning token_hash`.execute(db)
  afterCommit(() => sessions.forget(rows.map((session) => session.token_hash)))
}
