import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import type { NewOrder } from './order.store.ts'

/** Time for the device to confirm a start. */
export const confirmS = 90
/** Grace period after the longest duration of a charge, before it is ended without a bill. */
export const graceS = 1800

/** Occupies the port. The insert fails if the port is already occupied. */
export async function takePort(db: Db, order: NewOrder): Promise<void> {
  const { id, port, portNo, wireNo, commandId, startedAtMs, held } = order
  // A card can pay for one open charge only; a charge without a reservation does not occupy the card.
  const cardId = held.paidFen + held.giftFen === 0n ? null : (order.cardId ?? null)
  const longestS = (port.rules?.maxMinutes ?? 1440) * 60 + graceS
  await sql`insert into open_charge (device_id, port_no, order_id, organise_id, agent_id, site_id, wire_no, command_id, card_id, confirm_by, end_by)
    values (${port.deviceId}, ${portNo}, ${id}, ${port.organiseId}, ${port.agentId}, ${port.siteId}, ${wireNo}, ${commandId}, ${cardId},
      case when ${startedAtMs === undefined} then now() + make_interval(secs => ${confirmS}) end, now() + make_interval(secs => ${longestS}))`.execute(
    db,
  )
}

/** Whether an open order occupies the port. */
export async function isPortOccupied(db: Db, deviceId: string, portNo: number): Promise<boolean> {
  const { rows } = await sql`select 1 from open_charge where device_id = ${deviceId} and port_no = ${portNo}`.execute(
    db,
  )
  return rows.length > 0
}
