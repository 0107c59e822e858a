import type { Scanned } from '@wattdeck/contract/product/device-scan.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Place } from '../../_shared/place.store.ts'

export async function codeByNumber(db: Db, codeNo: string) {
  const row = await db
    .selectFrom('qr_code')
    .select(['id', 'code_no as codeNo', 'port_no as portNo', 'device_id as deviceId'])
    .select([
      sql<NonNullable<Scanned['code']>['type']>`type`.as('type'),
      sql<NonNullable<Scanned['code']>['kind']>`kind`.as('kind'),
      sql<NonNullable<Scanned['code']>['status']>`status`.as('status'),
    ])
    .where('code_no', '=', codeNo)
    .executeTakeFirst()
  return row
}

/** Finds a device by its printed number, or by its IMEI or ICCID. */
export async function deviceIdBy(db: Db, text: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('device')
    .select('id')
    .where(sql<boolean>`(device_no = ${text} or imei = ${text} or iccid = ${text.toUpperCase()})`)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .executeTakeFirst()
  return row?.id
}

export async function readDevice(db: Db, id: string): Promise<Scanned['device'] | undefined> {
  const { rows } = await sql<NonNullable<Scanned['device']>>`
    select device.id, device.device_no as "deviceNo", device.name, type.name as "typeName", device.organise_id as "organiseId",
      (select name from organise where id = device.organise_id) as "organiseName", device.site_id as "siteId",
      (select name from site where id = device.site_id) as "siteName", device.port_count as "portCount", device.online,
      state.csq, state.last_seen_at as "lastSeenAt", device.install_status as "installStatus", device.status
    from device join device_type type on type.id = device.device_type_id
    left join device_state state on state.device_id = device.id
    where device.id = ${id} and device.deleted_at is null`.execute(db)
  return rows[0]
}

export async function readPort(db: Db, deviceId: string, portNo: number): Promise<Scanned['port']> {
  const row = await db
    .selectFrom('port')
    .select(['port_no as portNo', 'enabled', sql<NonNullable<Scanned['port']>['status']>`status`.as('status')])
    .where('device_id', '=', deviceId)
    .where('port_no', '=', portNo)
    .executeTakeFirst()
  return row ?? null
}

/** A device in scope, locked for the change that follows. */
export const findDevice = (db: Db, id: string) =>
  db
    .selectFrom('device')
    .select(['id', 'device_no', 'organise_id'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()

type Standing = { place: Place; lng: number | undefined; lat: number | undefined; by: string }

export async function placeDevice(db: Db, id: string, { place, lng, lat, by }: Standing): Promise<void> {
  await db
    .updateTable('device')
    .set({
      ...place,
      installed_by: by,
      installed_at: sql<string>`now()`,
      // The installer is at the device, which confirms its connection.
      line_confirmed_at: sql<string>`coalesce(line_confirmed_at, now())`,
      line_confirmed_by: sql<string>`coalesce(line_confirmed_by, ${by})`,
      ...(lng === undefined || lat === undefined ? {} : { lng, lat }),
    })
    .where('id', '=', id)
    .execute()
}
