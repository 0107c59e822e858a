import type { Actor } from '../../kit/auth/actor.ts'
import type { Db } from '../../kit/db/db.ts'

/** Whether a phone is that of the caller, who must not grant themselves an advantage. */
export async function isOwnPhone({ db, actor }: { db: Db; actor: Actor }, phones: readonly (string | null)[]) {
  const own = await db.selectFrom('user_account').select('phone').where('id', '=', actor.userId).executeTakeFirst()
  return own?.phone != null && phones.includes(own.phone)
}
