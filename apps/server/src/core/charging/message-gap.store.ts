import { deviceCount } from '@wattdeck/contract/events/device-bus.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'

/** Only this many messages before a bill can still be in transit through another gateway or worker. */
const inFlight = 8
/** Search window; a device sends more than `inFlight` heartbeats within it. */
const journalHours = 24

/**
 * Whether the counter of the device shows a missing message shortly before this bill. Gateways share the messages of
 * MQTT devices, so a report may be stored after the bill that follows it.
 */
export async function hasGapBefore(db: Db, deviceId: string, bill: { ord: string; atMs: number }): Promise<boolean> {
  const { boot, seq } = deviceCount(bill.ord)
  const from = Math.max(1, seq - inFlight)
  const { rows } = await sql<{ stored: number }>`
    select count(distinct seq)::int as stored
    from (
      select boot, seq
      from device_message
      where device_id = ${deviceId}
        and id > app.message_id(to_timestamp(${bill.atMs / 1000}) - make_interval(hours => ${journalHours}))
      order by id desc
      limit ${inFlight * 8}
    ) latest
    where boot = ${boot}
      and seq >= ${from}
      and seq < ${seq}`.execute(db)
  return (rows[0]?.stored ?? 0) < seq - from
}
