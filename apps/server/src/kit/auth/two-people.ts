import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { sql } from 'kysely'
import { type Actor, asThemselves } from './actor.ts'
import type { Db } from '../db/db.ts'
import { conflict, Refusal } from '../http/refusal.ts'

type Some = { db: Db; actor: Actor }
type Person = { id: string; organise_id: string; agent_id: string | null; site_id: string | null }
export type Credential = 'account' | 'password' | 'phone' | 'secondFactor'

/** Whether a route decides on what somebody has asked for, or changes what money or accounts rest on. */
export const needsOwnHands = ({ access, reads }: AnyRoute): boolean =>
  typeof access === 'object' && !reads && (access.action === 'approve' || access.ownHands === true)

/**
 * Before such a route does anything: nobody in another's name, a second factor proven within ten minutes, and no way into
 * the account that was changed within the hour, by whom ever. 428 asks the console for the second factor.
 */
export async function assertOwnHands({ db, actor }: Some): Promise<void> {
  await assertFreshFactor({ db, actor })
  const { rows } = await sql<{ changed: boolean }>`
    select exists (
      select from credential_change where user_id = ${actor.userId} and created_at > now() - interval '1 hour'
    ) as changed`.execute(db)
  if (rows[0]?.changed !== false) throw conflict('您的登录凭据刚刚变更，1小时后才能进行该操作')
}

/** Before a person changes their own second factors: in person, with a second factor proven within ten minutes. */
export async function assertFreshFactor({ db, actor }: Some): Promise<void> {
  asThemselves({ actor })
  const { rows } = await sql<{ fresh: boolean }>`
    select coalesce(factor_at > now() - interval '10 minutes', false) as fresh
    from session where id = ${actor.sessionId}`.execute(db)
  if (rows[0]?.fresh !== true) throw new Refusal(428, '请先进行二次验证')
}

/**
 * Nobody decides on what they asked for themselves. Nor on what was asked by somebody into whose account they could have
 * let themselves, or who could have let themselves into theirs.
 */
export async function assertAnother({ db, actor }: Some, askedBy: string | null, words: string): Promise<void> {
  if (askedBy === actor.userId) throw conflict(words)
  if (askedBy === null) return
  const { rows } = await sql<{ linked: boolean }>`
    select app.credentials_linked(${actor.userId}, ${askedBy}) as linked`.execute(db)
  if (rows[0]?.linked !== false) throw conflict('24小时内您与申请人之间有账号凭据变更，须由其他人处理')
}

/**
 * A person who has taken part in resetting a second factor sets no other way into that account for a day, and the other
 * way round: together they would be the account.
 */
export async function assertNotLinked({ db }: Some, userId: string, other: string, words: string): Promise<void> {
  const { rows } = await sql<{ linked: boolean }>`select app.credentials_linked(${userId}, ${other}) as linked`.execute(
    db,
  )
  if (rows[0]?.linked !== false) throw conflict(words)
}

/** To be called where a way into an account is set, by its owner or by somebody else. */
export async function recordCredential(db: Db, person: Person, kind: Credential, changedBy: string): Promise<void> {
  const { id, organise_id, agent_id, site_id } = person
  await db
    .insertInto('credential_change')
    .values({ organise_id, agent_id, site_id, user_id: id, kind, changed_by: changedBy })
    .execute()
}
