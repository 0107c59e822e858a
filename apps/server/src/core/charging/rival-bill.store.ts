import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import { lookBackDays } from './order.store.ts'

/** An order that the device calls by the same number. */
type Rival = { id: string; settlement: unknown; leftFen: string }

type Meant = { id: string; deviceId: string; wireNo: string }

/** All orders that the device calls by the number of this one, with what was paid for each and not given back. */
export async function ordersOfNumber(db: Db, { deviceId, wireNo }: Meant): Promise<Rival[]> {
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

/** A second order of the same charge, without money: its bill waits beside the first. */
export async function addRival(db: Db, order: Meant, id: string): Promise<void> {
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

/** Orders of this number that wait for a person are shown with their rivals from now on. */
export async function markContradicted(db: Db, { deviceId, wireNo }: Meant): Promise<void> {
  await sql`
    update charging_order
    set review_reasons = review_reasons || 'contradicts'::text
    where device_id = ${deviceId}
      and wire_no = ${wireNo}
      and id > app.message_id(now() - make_interval(days => ${lookBackDays}))
      and status = ${orderStatus.code.review}
      and not 'contradicts' = any(review_reasons)`.execute(db)
}
