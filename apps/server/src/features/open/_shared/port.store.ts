import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'

export type PortRequest = { codeNo: string; portNo: number | null } | { deviceNo: string; portNo: number }

/**
 * Finds a port by the printed device number or by the number of a bound code. Two separate statements: one combined
 * condition could use neither index and would read every device of the organisation.
 */
export async function findPort(db: Db, request: PortRequest) {
  const which =
    'codeNo' in request
      ? sql`code.id as "codeId" from qr_code code
          join device on device.id = code.device_id
          join port on port.device_id = device.id and port.port_no = coalesce(code.port_no, ${request.portNo}, 1)
          where code.code_no = ${request.codeNo}`
      : sql`null as "codeId" from device
          join port on port.device_id = device.id and port.port_no = ${request.portNo}
          where device.device_no = ${request.deviceNo}`
  const { rows } = await sql<{
    deviceId: string
    portNo: number
    codeId: string | null
    deviceName: string
    siteName: string | null
  }>`
    select device.id as "deviceId", port.port_no as "portNo", device.name as "deviceName",
      (select name from site where id = device.site_id) as "siteName", ${which}
      and device.deleted_at is null and port.port_no <= device.port_count`.execute(db)
  return rows[0]
}
