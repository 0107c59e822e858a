import { passwordPolicy } from '@wattdeck/domain/password.ts'
import { sql } from 'kysely'
import type { Actor } from '../../kit/actor.ts'
import type { Db } from '../../kit/db.ts'
import { readRights } from '../../kit/rights.ts'
import type { Scope } from '../../kit/scope.ts'
import { mayEnter } from '../../kit/session-store.ts'
import { newToken, sha256 } from '../../kit/tokens.ts'

export type Person = NonNullable<Awaited<ReturnType<typeof findPerson>>>

/** Locked for the rest of the transaction, so that guesses at one account are counted one after the other. */
export function findPerson(db: Db, _scope: Scope, by: { name: string } | { phone: string } | { id: string }) {
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
      'user_account.failed_logins',
      'user_account.totp_secret',
      'user_account.totp_last_step',
    ])
    .select([
      sql<boolean>`user_account.locked_until > now()`.as('locked'),
      sql<boolean>`${sql.raw(mayEnter('user_account'))}`.as('enabled'),
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

/** Counts a wrong password; the fifth locks the account for half an hour. */
export async function countFailure(
  db: Db,
  _scope: Scope,
  person: Person,
  locksAt: number,
): Promise<{ locked: boolean }> {
  const failed = person.failed_logins + 1
  const locked = failed >= locksAt
  await db
    .updateTable('user_account')
    .set({
      failed_logins: locked ? 0 : failed,
      locked_until: locked ? sql<string>`now() + interval '30 minutes'` : null,
    })
    .where('id', '=', person.id)
    .execute()
  return { locked }
}

/** What the person still owes after the step just taken. */
async function nextStage(db: Db, _scope: Scope, person: Person, secondFactorDone: boolean): Promise<Actor['stage']> {
  if (!secondFactorDone) {
    if (person.totp_secret !== null) return 'secondFactor'
    const { roleTopLevel } = await readRights(db, person.id)
    if (roleTopLevel <= 1) return 'enrol'
  }
  return person.must_change_password || person.password_expired ? 'password' : 'full'
}

type From = { ip: string; userAgent: string; actedBy?: string }

/** Opens a session and returns its token, the only time anybody sees it. */
export async function openSession(
  db: Db,
  _scope: Scope,
  person: Person,
  stage: Actor['stage'],
  from: From,
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
      acted_by: from.actedBy ?? null,
      ip: from.ip,
      user_agent: from.userAgent,
    })
    .execute()
  if (stage === 'full') {
    await db
      .updateTable('user_account')
      .set({ last_login_at: sql<string>`now()`, failed_logins: 0, locked_until: null })
      .where('id', '=', person.id)
      .execute()
  }
  return token
}

/** Opens the session that a person has earned by the step just taken. */
export async function enter(db: Db, scope: Scope, person: Person, secondFactorDone: boolean, from: From) {
  const stage = await nextStage(db, scope, person, secondFactorDone)
  return { access_token: await openSession(db, scope, person, stage, from), stage }
}

export async function endSession(db: Db, _scope: Scope, sessionId: string): Promise<void> {
  await db
    .updateTable('session')
    .set({ ended_at: sql<string>`now()` })
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .execute()
}

export async function takeCaptcha(
  db: Db,
  _scope: Scope,
  id: string | undefined,
  answer: string | undefined,
): Promise<boolean> {
  if (id === undefined || answer === undefined) return false
  const taken = await db
    .deleteFrom('captcha')
    .where('id', '=', id)
    .where('expires_at', '>', sql<string>`now()`)
    .returning('answer')
    .executeTakeFirst()
  return taken?.answer === answer
}

export async function keepCaptcha(db: Db, _scope: Scope, answer: string): Promise<string> {
  const kept = await db
    .insertInto('captcha')
    .values({ answer, expires_at: sql<string>`now() + interval '5 minutes'` })
    .returning('id')
    .executeTakeFirstOrThrow()
  return kept.id
}

export function useTicket(db: Db, _scope: Scope, ticket: string) {
  return db
    .updateTable('login_ticket')
    .set({ used_at: sql<string>`now()` })
    .where('token_hash', '=', sha256(ticket))
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .returning(['user_id', 'issued_by'])
    .executeTakeFirst()
}
