import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Source } from '../../../kit/db/list-query.ts'
import { orderSource } from '../_shared/order-source.ts'

/** A device in scope by its printed number. */
export async function findDevice(db: Db, deviceNo: string) {
  const { rows } = await sql<{ id: string; organiseId: string }>`
    select id, organise_id as "organiseId" from device where device_no = ${deviceNo} and deleted_at is null limit 1`.execute(
    db,
  )
  return rows[0]
}

/** Whether a charge code was issued for the phone within the last minute. */
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

/** A member of the organisation by the complete phone number. */
export async function findPayer(db: Db, organiseId: string, phone: string): Promise<Payer | undefined> {
  const { rows } = await sql<Payer>`select id, organise_id, agent_id, site_id, nickname as name, status
    from member where organise_id = ${organiseId} and phone = ${phone}`.execute(db)
  return rows[0]
}

export async function seesDevice(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`select from device where id = ${id} and deleted_at is null`.execute(db)
  return rows.length > 0
}

/** Orders of one device that the caller sees: orders of a previous owner stay with that owner. */
export const deviceOrderSource = (deviceId: string): Source => ({
  ...orderSource,
  where: sql<boolean>`charging_order.device_id = ${deviceId}`,
})

/** Days. No charge runs longer, so older orders are not read for the figures of today. */
const longestDays = 7

export async function readDeviceToday(db: Db, deviceId: string) {
  const { rows } = await sql<{ orders: number; energyDwh: number; fen: string }>`
    select
      count(*)::int as orders,
      coalesce(sum(energy_dwh), 0)::int as "energyDwh",
      coalesce(sum(total_fen), 0)::text as fen
    from charging_order
    where device_id = ${deviceId}
      and id >= app.message_id(now() - make_interval(days => ${longestDays}))
      and status = ${sql.lit(orderStatus.code.billed)}
      and ended_at >= date_trunc('day', now(), 'Asia/Shanghai')`.execute(db)
  const [today] = rows
  return {
    orders: today?.orders ?? 0,
    energyDwh: today?.energyDwh ?? 0,
    total: yuanText(BigInt(today?.fen ?? '0')),
  }
}
