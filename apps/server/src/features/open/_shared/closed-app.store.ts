import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { conflict } from '../../../kit/http/refusal.ts'

/**
 * Refuses a recharge or a start of a member who comes through a disabled app: the app of the named open id, or every app of
 * the member. A running charge can still be stopped, and money can still be refunded.
 */
export async function assertAppOpen(db: Db, memberId: string, openId?: string): Promise<void> {
  const { rows } = await sql<{ closed: boolean }>`
    select coalesce(bool_or(app.status = 0 and identity.open_id = ${openId ?? null}::text), false)
      or coalesce(not bool_or(app.status = 1), false) as closed
    from member_identity identity
    join member_app app on app.id = identity.app_id
    where identity.member_id = ${memberId}`.execute(db)
  if (rows[0]?.closed !== false) throw conflict('该小程序已停用，请联系运营商')
}
