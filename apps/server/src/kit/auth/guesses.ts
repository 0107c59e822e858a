import { sql } from 'kysely'
import type pg from 'pg'
import { inScope, commit, type Db } from '../db/db.ts'
import { notify } from '../events/outbox.ts'
import { passwordGuesses, verifyPassword } from './passwords.ts'
import { Refusal } from '../http/refusal.ts'
import type { SessionStore } from './session-store.ts'
import { endOwnSession } from './sessions.ts'
import { systemScope } from '../db/system-scope.ts'

/** This many wrong guesses within half an hour lock the account for half an hour. */
export const guessLimit = 5
const windowSeconds = 1800

/** Keys of the counters: the guessed secret and its account. */
export const guessKey = {
  password: passwordGuesses,
  secondFactor: (userId: string) => `second-factor:${userId}`,
}

/**
 * Counts a guess before it is verified. Returns its number, or undefined when the window already has `most` guesses. The
 * last guess restarts the window, so that a lock lasts for the whole window.
 */
export async function countGuess(db: Db, key: string, most = guessLimit): Promise<number | undefined> {
  const { rows } = await sql<{ count: number }>`
    insert into attempt as seen (key, count, expires_at) values (${key}, 1, now() + make_interval(secs => ${windowSeconds}))
    on conflict (key) do update set
      count = case when seen.expires_at < now() then 1 else seen.count + 1 end,
      expires_at = case when seen.expires_at < now() or seen.count + 1 >= ${guessLimit} then excluded.expires_at else seen.expires_at end
    where seen.expires_at < now() or seen.count < ${most}
    returning count`.execute(db)
  return rows[0]?.count
}

/** Clears the counters after a right guess. */
export async function clearGuesses(db: Db, ...keys: string[]): Promise<void> {
  await sql`select app.forget_guesses(${keys})`.execute(db)
}

/**
 * For the first step of a handler, before its transaction: the guess stays counted when the handler fails later. The
 * connection is released while the guess is verified, so that guesses cannot exhaust the pool.
 */
export const countFirst = <T>(pool: pg.Pool, count: (db: Db) => Promise<T>): Promise<T> =>
  inScope(pool, systemScope, 'record', async ({ db }) => commit(await count(db)))

type Person = { id: string; organise_id: string; agent_id: string | null; site_id: string | null }

/** Runs after the last wrong guess. The counter stays, so that it refuses logins even if the lock is not stored. */
export async function lockAccount(db: Db, person: Person, guessed: '密码' | '二次验证'): Promise<void> {
  await db
    .updateTable('user_account')
    .set({ locked_until: sql<string>`now() + make_interval(secs => ${windowSeconds})` })
    .where('id', '=', person.id)
    .execute()
  const body = `您的账号因连续输错${guessed}被锁定30分钟`
  await notify(db, { ...person, userId: person.id }, { type: 3, title: '账号安全', body })
}

export type PasswordProof = { guess: number | undefined; isRight: boolean }

/**
 * Verifies the password of a logged-in person again before a sensitive operation. For the first step of a handler: the
 * guess is counted, verified and, when right, cleared, whether or not the handler succeeds.
 */
export async function verifyPasswordAgain(pool: pg.Pool, userId: string, password: string): Promise<PasswordProof> {
  const key = guessKey.password(userId)
  const { guess, stored } = await countFirst(pool, async (db) => ({
    guess: await countGuess(db, key),
    stored: await db.selectFrom('user_account').select('password_hash').where('id', '=', userId).executeTakeFirst(),
  }))
  const isRight = guess !== undefined && (await verifyPassword(stored?.password_hash, password))
  if (isRight) await countFirst(pool, (db) => clearGuesses(db, key))
  return { guess, isRight }
}

/** Refuses a wrong password. The last wrong guess locks the account, as at login, and ends the session. */
export async function requirePasswordProof(
  ctx: Parameters<typeof endOwnSession>[0],
  sessions: SessionStore,
  person: Person,
  { guess, isRight }: PasswordProof,
  field: 'password' | 'oldPassword',
): Promise<void> {
  if (isRight) return
  if (guess !== undefined && guess < guessLimit) {
    const text = field === 'oldPassword' ? '原密码不正确' : '密码不正确'
    throw new Refusal(422, text, { keep: true, fields: { [field]: text } })
  }
  if (guess === guessLimit) await lockAccount(ctx.db, person, '密码')
  await endOwnSession(ctx, sessions)
  throw new Refusal(401, '密码错误次数过多，账号已锁定，请30分钟后再试', { keep: true })
}
