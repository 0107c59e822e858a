import { alipayStep } from '@wattdeck/contract/auth/alipay-auth.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { newToken, sha256 } from '../../../kit/auth/tokens.ts'
import type { Vault } from '../../../kit/crypto/vault.ts'
import { rowExists } from '../../../kit/db/rows.ts'

const { open, waiting, calling, done, refused, unknown } = alipayStep.code
/** Limit of attempts per invitation; after that a new invitation is needed. */
const attemptsAnInvite = 10
/** An exchange makes two calls of at most eight seconds, so later replies are not expected. */
const lateAfter = sql`interval '20 seconds'`
const late = sql<boolean>`status in (2, 3) and submitted_at < now() - ${lateAfter} and coalesce(called_at, '-infinity') < now() - ${lateAfter}`

export const findOrganise = (db: Db, id: string) =>
  db.selectFrom('organise').select(['id', 'name', 'status']).where('id', '=', id).executeTakeFirst()

/** Returns the token, whose hash alone is stored. */
export async function addInvite(db: Db, organiseId: string, createdBy: string) {
  await db
    .updateTable('alipay_invite')
    .set({ revoked_at: sql<string>`now()` })
    .where('organise_id', '=', organiseId)
    .where('revoked_at', 'is', null)
    .where('used_at', 'is', null)
    .execute()
  const invite = newToken()
  const invitation = await db
    .insertInto('alipay_invite')
    .values({
      organise_id: organiseId,
      token_hash: sha256(invite),
      expires_at: sql<string>`now() + interval '24 hours'`,
      created_by: createdBy,
    })
    .returning('expires_at as expiresAt')
    .executeTakeFirstOrThrow()
  return { invite, expiresAt: invitation.expiresAt }
}

export const liveInvite = (db: Db, organiseId: string) =>
  db
    .selectFrom('alipay_invite')
    .select(['created_by as createdBy', 'created_at as createdAt', 'expires_at as expiresAt'])
    .where('organise_id', '=', organiseId)
    .where('revoked_at', 'is', null)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()

export const authorisationOf = (db: Db, organiseId: string) =>
  db
    .selectFrom('alipay_authorisation')
    .select(['account', 'authorised_at as authorisedAt'])
    .where('organise_id', '=', organiseId)
    .executeTakeFirst()

export type Invite = NonNullable<Awaited<ReturnType<typeof findInvite>>>

/**
 * Locked, so that two pages that open concurrently get one state, and a code is accepted either before or after a
 * revocation.
 */
export const findInvite = (db: Db, by: { token: string } | { id: string }) =>
  db
    .selectFrom('alipay_invite as invite')
    .innerJoin('organise', 'organise.id', 'invite.organise_id')
    .select(['invite.id', 'invite.organise_id', 'organise.name', 'invite.expires_at'])
    .select(
      sql<
        'revoked' | 'used' | 'expired' | 'live'
      >`case when revoked_at is not null or organise.status = 0 then 'revoked'
        when used_at is not null then 'used' when expires_at < now() then 'expired' else 'live' end`.as('standing'),
    )
    .$if('token' in by, (query) => query.where('token_hash', '=', 'token' in by ? sha256(by.token) : null))
    .$if('id' in by, (query) => query.where('invite.id', '=', 'id' in by ? by.id : null))
    .forUpdate('invite')
    .executeTakeFirst()

const attempts = (db: Db) =>
  db
    .selectFrom('alipay_attempt')
    .select(['id', 'organise_id', 'invite_id', 'sealed_state', 'code_hash', 'reason', late.as('late')])
    .select(sql<1 | 2 | 3 | 4 | 5 | 6>`status`.as('status'))

export type Attempt = NonNullable<Awaited<ReturnType<typeof findAttempt>>>

export const findAttempt = (db: Db, state: string) =>
  attempts(db).where('token_hash', '=', sha256(state)).executeTakeFirst()

/** The attempt that succeeded, or else the newest. */
export const latestAttempt = (db: Db, inviteId: string) =>
  attempts(db)
    .where('invite_id', '=', inviteId)
    .orderBy(sql`status = ${done}`, 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/**
 * Returns the state of the open attempt, which is created if none exists. Returns undefined at the limit of attempts.
 */
export async function openState(db: Db, vault: Vault, invite: Invite): Promise<string | undefined> {
  const attemptRows = await db
    .selectFrom('alipay_attempt')
    .select(['sealed_state', 'status'])
    .where('invite_id', '=', invite.id)
    .execute()
  const sealed = attemptRows.find(({ status }) => status === open)?.sealed_state
  if (typeof sealed === 'string') return vault.open(sealed)
  if (attemptRows.length >= attemptsAnInvite) return undefined
  const state = newToken()
  await db
    .insertInto('alipay_attempt')
    .values({
      organise_id: invite.organise_id,
      invite_id: invite.id,
      token_hash: sha256(state),
      sealed_state: vault.seal(state),
    })
    .execute()
  return state
}

/** Returns false if the state was used. A code that was submitted before violates the unique index on its hash. */
export async function submitCode(db: Db, attemptId: string, code: string, sealed: string) {
  const result = await db
    .updateTable('alipay_attempt')
    .set({
      status: waiting,
      sealed_state: null,
      code_hash: sha256(code),
      sealed_code: sealed,
      submitted_at: sql<string>`now()`,
    })
    .where('id', '=', attemptId)
    .where('status', '=', open)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export const isCodeUsed = (db: Db, code: string) => rowExists(db, 'alipay_attempt', { code_hash: sha256(code) })

/** Returns whether a retry is allowed: the result is unknown, or the reply is late. */
export async function requeueAttempt(db: Db, attemptId: string): Promise<boolean> {
  const changed = await db
    .updateTable('alipay_attempt')
    .set({ status: waiting, submitted_at: sql<string>`now()` })
    .where('id', '=', attemptId)
    .where(sql<boolean>`(status = ${unknown} or (${late}))`)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

/** Claims an attempt for one worker, as a lease of 20 s. A duplicate or concurrent job finds no row. */
export const claimAttempt = (db: Db, attemptId: string) =>
  db
    .updateTable('alipay_attempt')
    .set({ status: calling, called_at: sql<string>`now()` })
    .where('id', '=', attemptId)
    .where(sql<boolean>`(status = ${waiting} or (status = ${calling} and called_at < now() - ${lateAfter}))`)
    .returning(['organise_id', 'invite_id', 'sealed_code'])
    .executeTakeFirst()

/** Consumes the invitation. Returns false if it was used or revoked meanwhile. */
export async function useInvite(db: Db, inviteId: string): Promise<boolean> {
  const used = await db
    .updateTable('alipay_invite')
    .set({ used_at: sql<string>`now()` })
    .where('id', '=', inviteId)
    .where('revoked_at', 'is', null)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return used.numUpdatedRows === 1n
}

type Answer = { status: typeof done | typeof refused | typeof unknown; reason?: string }

/**
 * Stores the result of the call. Returns false if another worker was faster. The code is kept only while a retry may
 * need it.
 */
export async function recordAnswer(db: Db, attemptId: string, { status, reason }: Answer) {
  const changed = await db
    .updateTable('alipay_attempt')
    .set({ status, reason: reason ?? null, ...(status === unknown ? {} : { sealed_code: null }) })
    .where('id', '=', attemptId)
    .where('status', '=', calling)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

export async function saveAuthorisation(
  db: Db,
  { organiseId, sealedUserId, account }: { organiseId: string; sealedUserId: string; account: string },
): Promise<void> {
  const values = { sealed_user_id: sealedUserId, account, authorised_at: sql<string>`now()` }
  await db
    .insertInto('alipay_authorisation')
    .values({ organise_id: organiseId, ...values })
    .onConflict((clash) => clash.column('organise_id').doUpdateSet(values))
    .execute()
}
