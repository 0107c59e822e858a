import { shiftStatus } from '@wattdeck/contract/operating/desk-shift.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'

/** The number that users see: 'JB00100001'. */
export const shiftNo = (id: string) => `JB${id.padStart(8, '0')}`

type Clerk = { id: string; name: string; agentId: string | null; siteId: string | null }

/**
 * The open shift of a clerk, which the first cash recharge opens. It cannot be closed until the transaction ends. The caller's
 * scope is the whole organisation, because the clerk may have moved within it since the shift was opened.
 */
export async function openShift(db: Db, organiseId: string, clerk: Clerk): Promise<string> {
  // A shift that is closed between the two statements makes room for a new one.
  for (let attempt = 1; attempt <= 3; attempt++) {
    const { rows } = await sql<{ id: string }>`
      insert into desk_shift (organise_id, agent_id, site_id, clerk_id, clerk)
      values (${organiseId}, ${clerk.agentId}, ${clerk.siteId}, ${clerk.id}, ${clerk.name})
      on conflict (organise_id, clerk_id) where status = 1 do nothing
      returning id`.execute(db)
    if (rows[0] !== undefined) return rows[0].id
    const known = await db
      .selectFrom('desk_shift')
      .select('id')
      .where('organise_id', '=', organiseId)
      .where('clerk_id', '=', clerk.id)
      .where('status', '=', shiftStatus.code.open)
      .forShare()
      .executeTakeFirst()
    if (known !== undefined) return known.id
  }
  throw new Error(`the shifts of clerk ${clerk.id} change all the time`)
}

/** Whether the shift is open. It cannot be closed until the transaction ends. */
export async function isOpenShift(db: Db, id: string): Promise<boolean> {
  const shift = await db.selectFrom('desk_shift').select('status').where('id', '=', id).forShare().executeTakeFirst()
  return shift?.status === shiftStatus.code.open
}
