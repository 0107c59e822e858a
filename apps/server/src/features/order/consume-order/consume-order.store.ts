import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'

/** A device in scope by the number that is printed on it. */
export async function findDevice(db: Db, deviceNo: string) {
  const { rows } = await sql<{ id: string; organiseId: string }>`
    select id, organise_id as "organiseId" from device where device_no = ${deviceNo} and deleted_at is null limit 1`.execute(
    db,
  )
  return rows[0]
}

/** Whether the phone was sent a code for a charge within the minute. */
export async function recentChargeCode(db: Db, phone: string): Promise<boolean> {
  const { rows } = await sql`select from sms_code
    where phone = ${phone} and purpose = 'charge' and created_at > now() - interval '60 seconds' limit 1`.execute(db)
  return rows.length > 0
}

type Payer = {
  id: string
  organise_id: string
  agent_id: string | null
  site_id: string | null
  name: string
  status: number
}

/** A member of the organisation by the whole phone. */
export async function findPayer(db: Db, organiseId: string, phone: string): Promise<Payer | undefined> {
  const { rows } = await sql<Payer>`select id, organise_id, agent_id, site_id, nickname as name, status
    from member where organise_id = ${organiseId} and phone = ${phone}`.execute(db)
  return rows[0]
}
