import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import { lookBackDays } from './order.store.ts'

/** An order with the same wire number at the same device. */
type Rival = { id: string; settlement: unknown; leftFen: string }

type WireOrder = { id: string; deviceId: string; wireNo: string }

/** All orders with this wire number at the device, with the amount of each that was paid and not refunded. */
export async function ordersOfNumber(db: Db, { deviceId, wireNo }: WireOrder): Promise<Rival[]> {
  const { rows } = await sql<Rival>`
    select
      id,
      settlement,
      paid_fen + gift_fen - refunded_fen as "leftFen"
    from charging_order
    where device_id = ${deviceId}
      and wire_no = ${wireNo}
      and id > app.message_id(now() - make_interval(days => ${lookBackDays}))
    order by id`.execute(db)
  return rows
}

/** Adds a second order of the same charge without reserved money, so that its bill can be reviewed next to the first. */
export async function addRival(db: Db, order: WireOrder, id: string): Promise<void> {
  await sql`
    insert into charging_order (
      id, organise_id, agent_id, site_id, device_id, port_no, device_no, device_type_id, wire_no, member_id, card_id, card_no,
      start_mode, tariff_version_id, billing_type, status, limit_by, limit_value, started_at
    )
    select
      ${id}, organise_id, agent_id, site_id, device_id, port_no, device_no, device_type_id, wire_no, member_id, card_id, card_no,
      start_mode, tariff_version_id, billing_type, ${orderStatus.code.charging}, limit_by, limit_value, started_at
    from charging_order
    where id = ${order.id}`.execute(db)
}

/** Marks orders of this number in review as contradicted, so that the console shows them with their rivals. */
export async function markContradicted(db: Db, { deviceId, wireNo }: WireOrder): Promise<void> {
  await sql`
    update charging_order
    set review_reasons = review_reasons || 'contradicts'::text
    where device_id = ${deviceId}
      and wire_no = ${wireNo}
      and id > app.message_id(now() - make_interval(days => ${lookBackDays}))
      and status = ${orderStatus.code.review}
      and not 'contradicts' = any(review_reasons)`.execute(db)
}
