import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { sql } from 'kysely'
import { type Actor, refuseImpersonation } from './actor.ts'
import type { Db } from '../db/db.ts'
import { conflict, Refusal } from '../http/refusal.ts'

type Some = { db: Db; actor: Actor }
type Person = { id: string; organise_id: string; agent_id: string | null; site_id: string | null }
export type Credential = 'account' | 'password' | 'phone' | 'secondFactor'

/** Whether a route approves a request (maker-checker), or changes settings behind money or accounts. */
export const needsStepUp = ({ access, reads }: AnyRoute): boolean =>
  typeof access === 'object' && !reads && (access.action === 'approve' || access.ownHands === true)

/**
 * Preconditions of such a route: no impersonation, and a second factor proven within ten minutes. The credentials of the
 * account must not have changed within the hour, by any person. Status 428 makes the console request the second factor.
 */
export async function assertStepUp({ db, actor }: Some): Promise<void> {
  await assertFreshFactor({ db, actor })
  const { rows } = await sql<{ changed: boolean }>`
    select exists (
      select from credential_change where user_id = ${actor.userId} and created_at > now() - interval '1 hour'
    ) as changed`.execute(db)
  if (rows[0]?.changed !== false) throw conflict('您的登录凭据刚刚变更，1小时后才能进行该操作')
}

/** Precondition for changing one's own second factors: no impersonation, and a second factor proven within ten minutes. */
export async function assertFreshFactor({ db, actor }: Some): Promise<void> {
  refuseImpersonation({ actor })
  const { rows } = await sql<{ fresh: boolean }>`
    select coalesce(factor_at > now() - interval '10 minutes', false) as fresh
    from session where id = ${actor.sessionId}`.execute(db)
  if (rows[0]?.fresh !== true) throw new Refusal(428, '请先进行二次验证')
}

/**
 * Refuses an approver who made the request. Also refuses an approver who could have gained access to the requester's
 * account, or the reverse.
 */
export async function assertDifferentPerson(
  { db, actor }: Some,
  requestedBy: string | null,
  words: string,
): Promise<void> {
  if (requestedBy === actor.userId) throw conflict(words)
  if (requestedBy === null) return
  const { rows } = await sql<{ linked: boolean }>`
    select app.credentials_linked(${actor.userId}, ${requestedBy}) as linked`.execute(db)
  if (rows[0]?.linked !== false) throw conflict('24小时内您与申请人之间有账号凭据变更，须由其他人处理')
}

/**
 * A person who took part in resetting a second factor may not set another credential of that account for a day. The reverse
 * holds too, because both credentials together would give access to the account.
 */
export async function assertNotLinked({ db }: Some, userId: string, other: string, words: string): Promise<void> {
  const { rows } = await sql<{ linked: boolean }>`select app.credentials_linked(${userId}, ${other}) as linked`.execute(
    db,
  )
  if (rows[0]?.linked !== false) throw conflict(words)
}

/** Must be called wherever a credential of an account is set, by its owner or by another person. */
export async function recordCredential(db: Db, person: Person, kind: Credential, changedBy: string): Promise<void> {
  const { id, organise_id, agent_id, site_id } = person
  await db
    .insertInto('credential_change')
    .values({ organise_id, agent_id, site_id, user_id: id, kind, changed_by: changedBy })
    .execute()
}
