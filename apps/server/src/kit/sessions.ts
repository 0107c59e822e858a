import { sql } from 'kysely'
import type { Db } from './db.ts'
import type { SessionStore } from './session-store.ts'
import { tellAll } from './outbox.ts'
import { sha256 } from './tokens.ts'

type Doing = { db: Db; afterCommit: (work: () => Promise<void>) => void }

/** Ends every open session of these people, in this transaction; the caches and the open consoles hear of it after the commit. */
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
  await tellAll(db, receivers, () => ({ kind: 'revoked' }))
  afterCommit(() => sessions.forget(ended.map((session) => session.token_hash)))
}

type Own = Doing & { actor: { sessionId: string; userId: string }; request: { token: string } }

/** Ends the session that asks. */
export async function endOwnSession({ db, actor, request, afterCommit }: Own, sessions: SessionStore): Promise<void> {
  await db
    .updateTable('session')
    .set({ ended_at: sql<string>`now()` })
    .where('id', '=', actor.sessionId)
    .where('ended_at', 'is', null)
    .execute()
  afterCommit(() => sessions.forget([sha256(request.token)]))
}

/** Ends all sessions of a person but the one that asks: they were opened by what is no longer enough. */
export async function endOtherSessions({ db, actor, afterCommit }: Own, sessions: SessionStore): Promise<void> {
  const ended = await db
    .updateTable('session')
    .set({ ended_at: sql<string>`now()` })
    .where('user_id', '=', actor.userId)
    .where('id', '<>', actor.sessionId)
    .where('ended_at', 'is', null)
    .returning('token_hash')
    .execute()
  afterCommit(() => sessions.forget(ended.map((session) => session.token_hash)))
}
