import type { Passkey } from '@wattdeck/contract/personal/own-factor.ts'
import type { Db } from '../../../kit/db/db.ts'

export async function listPasskeys(db: Db, userId: string): Promise<Passkey[]> {
  return db
    .selectFrom('passkey')
    .select(['id', 'name', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
}

export async function totpSince(db: Db, userId: string): Promise<string | null> {
  const { totp_since } = await db
    .selectFrom('user_account')
    .select('totp_since')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return totp_since
}

/** Whether it was a passkey of this person. */
export async function removePasskey(db: Db, userId: string, id: string): Promise<boolean> {
  const removed = await db.deleteFrom('passkey').where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()
  return removed.numDeletedRows === 1n
}
