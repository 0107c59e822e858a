import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { orNotFound } from '../../../kit/http/refusal.ts'

/** The caller's own row, locked for the change that follows. */
export async function ownAccount(db: Db, userId: string) {
  return orNotFound(
    await db
      .selectFrom('user_account')
      .select(['id', 'organise_id', 'agent_id', 'site_id', 'login_name', 'phone', 'password_hash'])
      .where('id', '=', userId)
      .forUpdate()
      .executeTakeFirst(),
  )
}

export async function ownPhone(db: Db, userId: string): Promise<string> {
  const { phone } = await db
    .selectFrom('user_account')
    .select('phone')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return phone
}

/** Whether a code for a new phone was sent within the last minute; the caller's row lock keeps two from asking at once. */
export async function recentCode(db: Db, userId: string): Promise<boolean> {
  const recent = await db
    .selectFrom('sms_code')
    .select('id')
    .where('user_id', '=', userId)
    .where('purpose', '=', 'bind')
    .where('created_at', '>', sql<string>`now() - interval '1 minute'`)
    .executeTakeFirst()
  return recent !== undefined
}
