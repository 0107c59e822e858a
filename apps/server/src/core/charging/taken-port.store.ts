import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import type { NewOrder } from './order.store.ts'

/** The device has this long to begin. */
export const confirmS = 90
/** How long after its longest time a charge may go on before nobody believes in it any more. */
export const graceS = 1800

/** A port that is taken refuses. */
export async function takePort(db: Db, order: NewOrder): Promise<void> {
  const { id, port, portNo, wireNo, commandId, startedAtMs, held } = order
  // Nobody's money is put aside twice at once; a charge that nothing is put aside for takes no card.
  const cardId = held.paidFen + held.giftFen === 0n ? null : (order.cardId ?? null)
  const longestS = (port.rules?.maxMinutes ?? 1440) * 60 + graceS
  await sql`insert into open_charge (device_id, port_no, order_id, organise_id, agent_id, site_id, wire_no, command_id, card_id, confirm_by, end_by)
    values (${port.deviceId}, ${portNo}, ${id}, ${port.organiseId}, ${port.agentId}, ${port.siteId}, ${wireNo}, ${commandId}, ${cardId},
      case when ${startedAtMs === undefined} then now() + make_interval(secs => ${confirmS}) end, now() + make_interval(secs => ${longestS}))`.execute(
    db,
  )
}

/** Whether a port is taken by an order that has not ended. */
export async function isTaken(db: Db, deviceId: string, portNo: number): Promise<boolean> {
  const { rows } = await sql`select 1 from open_charge where device_id = ${deviceId} and port_no = ${portNo}`.execute(
    db,
  )
  return rows.length > 0
}
