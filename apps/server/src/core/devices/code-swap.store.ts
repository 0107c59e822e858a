import { plugStatus } from '@wattdeck/contract/product/device-codes.ts'
import { suspicionState } from '@wattdeck/contract/system/qr-code-manage.ts'
import type { RefusalName } from '@wattdeck/device-protocol/refusal.ts'
import { likelySwap, type NearbyPort } from '@wattdeck/domain/code-swap.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'

/** A start by QR code, and how the device of the code refused it. */
export type RefusedStart = { codeId: string; deviceId: string; refusal: RefusalName; atMs: number }

/**
 * Checks each start by code that a device refused. Stores a suspicion and returns its id if the code is probably stuck on
 * another device. A repetition increments the open suspicion.
 */
export async function noticeSwap(db: Db, start: RefusedStart): Promise<string | undefined> {
  if (start.refusal !== 'unplugged') return undefined
  const likely = likelySwap(await nearbyPorts(db, start.deviceId), start.atMs)
  if (likely === undefined) return undefined
  const { rows } = await sql<{ id: string }>`
    insert into qr_suspicion (organise_id, agent_id, site_id, code_id, expected_device_id, likely_device_id, likely_port_no, at)
    select organise_id, agent_id, site_id, ${start.codeId}, id, ${likely.deviceId}, ${likely.portNo}, to_timestamp(${start.atMs / 1000}::float8)
    from device where id = ${start.deviceId}
    on conflict (code_id, likely_device_id) where state = ${sql.lit(suspicionState.code.open)}
    do update set times = qr_suspicion.times + 1, at = excluded.at, likely_port_no = excluded.likely_port_no
    returning id`.execute(db)
  return rows[0]?.id
}

/** The ports of the other devices at the same site. */
async function nearbyPorts(db: Db, deviceId: string): Promise<NearbyPort[]> {
  const { rows } = await sql<NearbyPort>`
    select port.device_id as "deviceId", port.port_no as "portNo", port.status = ${plugStatus.code.connected} as connected,
      (extract(epoch from port.status_since) * 1000)::float8 as "sinceMs"
    from device own
    join device other on other.organise_id = own.organise_id and other.site_id = own.site_id and other.id <> own.id
      and other.deleted_at is null
    join port on port.device_id = other.id and port.port_no <= other.port_count
    where own.id = ${deviceId}`.execute(db)
  return rows
}
