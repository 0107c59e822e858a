import { passwordPolicy } from '@wattdeck/domain/password.ts'
import { sql } from 'kysely'
import type { Actor } from '../../../kit/auth/actor.ts'
import { attemptsSoFar } from '../../../kit/auth/attempts.ts'
import type { Db } from '../../../kit/db/db.ts'
import { countGuess, guessKey, guessLimit } from '../../../kit/auth/guesses.ts'
import { readRights } from '../../../kit/auth/rights.ts'
import { isActivePersonSql } from '../../../kit/auth/session-store.ts'
import { newToken, sha256 } from '../../../kit/auth/tokens.ts'

export type Person = NonNullable<Awaited<ReturnType<typeof findPerson>>>

/** Locked until the transaction ends, so that guesses at one account are counted in sequence. */
export function findPerson(db: Db, by: { name: string } | { phone: string } | { id: string }) {
  return db
    .selectFrom('user_account')
    .innerJoin('organise', 'organise.id', 'user_account.organise_id')
    .select([
      'user_account.id',
      'user_account.organise_id',
      'user_account.agent_id',
      'user_account.site_id',
      'user_account.name',
      'user_account.login_name',
      'user_account.phone',
      'user_account.password_hash',
      'user_account.must_change_password',
      'user_account.totp_secret',
      'user_account.totp_last_step',
      'user_account.must_bind_factor',
    ])
    .select([
      sql<boolean>`user_account.locked_until > now()`.as('locked'),
      sql<boolean>`exists (select from passkey where passkey.user_id = user_account.id)`.as('has_passkey'),
      sql<boolean>`user_account.must_change_password and user_account.first_password_ends_at <= now()`.as(
        'first_password_ended',
      ),
      sql<boolean>`${sql.raw(isActivePersonSql('user_account'))}`.as('enabled'),
      sql<boolean>`user_account.password_changed_at < now() - make_interval(days => ${passwordPolicy.maxAgeDays})`.as(
        'password_expired',
      ),
    ])
    .where('user_account.deleted_at', 'is', null)
    .$if('name' in by, (query) =>
      query.where((row) =>
        row.or([
          row('user_account.login_name', '=', 'name' in by ? by.name : ''),
          row('user_account.phone', '=', 'name' in by ? by.name : ''),
        ]),
      ),
    )
    .$if('phone' in by, (query) => query.where('user_account.phone', '=', 'phone' in by ? by.phone : ''))
    .$if('id' in by, (query) => query.where('user_account.id', '=', 'id' in by ? by.id : ''))
    .forUpdate('user_account')
    .executeTakeFirst()
}

export const subjectOf = (person: Person) => ({
  userId: person.id,
  userName: person.name,
  loginName: person.login_name,
  organiseId: person.organise_id,
  agentId: person.agent_id,
  siteId: person.site_id,
})

export const captchaAfter = 3
type Login = { loginName: string; captchaId?: string | undefined; captchaCode?: string | undefined }

/**
 * Counts a password guess before its evaluation, also for an unknown login name. After three guesses each needs a
 * solved captcha. A guess without it is neither counted nor evaluated, so that an outsider cannot lock an account.
 */
export async function countLogin(db: Db, { loginName, captchaId, captchaCode }: Login) {
  const person = await db
    .selectFrom('user_account')
    .select('id')
    .select(sql<boolean>`coalesce(locked_until > now(), false)`.as('locked'))
    .where('deleted_at', 'is', null)
    .where((row) => row.or([row('login_name', '=', loginName), row('phone', '=', loginName)]))
    .executeTakeFirst()
  const key = guessKey.password(person?.id ?? `nobody:${sha256(loginName).toString('base64')}`)
  if (person?.locked === true) return { key, guess: undefined, needsCaptcha: false, isLocked: true }
  const isSolved = await consumeCaptcha(db, captchaId, captchaCode)
  const guess = await countGuess(db, key, isSolved ? guessLimit : captchaAfter)
  const isLocked = guess === undefined && (await attemptsSoFar(db, key)) >= guessLimit
  return { key, guess, needsCaptcha: guess === undefined && !isLocked, isLocked }
}

export const hasFactor = (person: Person) => person.totp_secret !== null || person.has_passkey

/**
 * Platform administrators always need one. Other roles with write rights need one down to the level that the
 * installation configures.
 */
const needsFactor = ({ roleTopLevel, grants }: Pick<Actor, 'roleTopLevel' | 'grants'>, factorLevel: number) =>
  roleTopLevel <= 1 || (roleTopLevel <= factorLevel && grants.length > 0)

/** The next stage of the login after the completed step. */
export async function nextStage(
  db: Db,
  person: Person,
  { isFactorProven, factorLevel }: { isFactorProven: boolean; factorLevel: number },
): Promise<Actor['stage']> {
  if (!isFactorProven) {
    if (hasFactor(person)) return 'secondFactor'
    if (person.must_bind_factor || needsFactor(await readRights(db, person.id), factorLevel)) return 'enrol'
  }
  return person.must_change_password || person.password_expired ? 'password' : 'full'
}

/** A password that another person set opens one login. The session of that login can still replace it. */
export async function endFirstPassword(db: Db, person: Person): Promise<void> {
  await db
    .updateTable('user_account')
    .set({ first_password_ends_at: sql<string>`now()` })
    .where('id', '=', person.id)
    .execute()
}

export type Opening = {
  openedBy: 'password' | 'sms' | 'link'
  /** The method that proved the second factor, if any. */
  factor?: 'totp' | 'passkey' | 'recovery'
  /** Proven by the step that opens the session, so it also confirms sensitive actions. */
  isFactorFresh?: boolean
  actedBy?: string
}
type Request = { ip: string; userAgent: string }

/** Stores a session and returns its token, whose hash alone is stored. */
export async function addSession(
  db: Db,
  person: Person,
  stage: Actor['stage'],
  { openedBy, factor, isFactorFresh, actedBy, ip, userAgent }: Opening & Request,
): Promise<string> {
  const token = newToken()
  await db
    .insertInto('session')
    .values({
      token_hash: sha256(token),
      user_id: person.id,
      organise_id: person.organise_id,
      agent_id: person.agent_id,
      site_id: person.site_id,
      stage,
      opened_by: openedBy,
      factor: factor ?? null,
      acted_by: actedBy ?? null,
      ip,
      user_agent: userAgent,
      factor_at: isFactorFresh === true ? sql<string>`now()` : null,
    })
    .execute()
  if (stage === 'full') {
    await db
      .updateTable('user_account')
      .set({ last_login_at: sql<string>`now()`, locked_until: null })
      .where('id', '=', person.id)
      .execute()
  }
  return token
}

/** The second factors of an account. */
export async function boundFactors(db: Db, userId: string) {
  return db
    .selectFrom('user_account')
    .select([
      sql<boolean>`totp_secret is not null`.as('totp'),
      sql<boolean>`exists (select from passkey where passkey.user_id = user_account.id)`.as('passkey'),
    ])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}

/** How the current session was opened, for the session that replaces it. */
export async function openingOf(db: Db, sessionId: string): Promise<Opening> {
  const { opened_by, factor } = await db
    .selectFrom('session')
    .select(['opened_by', 'factor'])
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
  return { openedBy: opened_by as Opening['openedBy'], ...(factor === null ? {} : { factor: factor as never }) }
}

export async function consumeCaptcha(db: Db, id: string | undefined, answer: string | undefined): Promise<boolean> {
  if (id === undefined || answer === undefined) return false
  const captchaRow = await db
    .deleteFrom('captcha')
    .where('id', '=', id)
    .where('expires_at', '>', sql<string>`now()`)
    .returning('answer')
    .executeTakeFirst()
  return captchaRow?.answer === answer
}

export async function saveCaptcha(db: Db, answer: string): Promise<string> {
  const captchaRow = await db
    .insertInto('captcha')
    .values({ answer, expires_at: sql<string>`now() + interval '5 minutes'` })
    .returning('id')
    .executeTakeFirstOrThrow()
  return captchaRow.id
}

export function useTicket(db: Db, ticket: string) {
  return db
    .updateTable('login_ticket')
    .set({ used_at: sql<string>`now()` })
    .where('token_hash', '=', sha256(ticket))
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .returning(['user_id', 'issued_by'])
    .executeTakeFirst()
}
