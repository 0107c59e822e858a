import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'

/** Binds a device to its own tariff; without one it charges by the tariff of its site. */
export async function bindDevice(db: Db, id: string, tariffId: string | null): Promise<void> {
  await db.updateTable('device').set({ tariff_id: tariffId }).where('id', '=', id).execute()
}

/** A site in scope, locked for the change that follows. */
export const findSite = (db: Db, id: string) =>
  db
    .selectFrom('site')
    .select(['id', 'organise_id'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()

export async function bindSite(db: Db, id: string, tariffId: string | null): Promise<void> {
  await db.updateTable('site').set({ tariff_id: tariffId }).where('id', '=', id).execute()
}

/** One row for each model among the devices of a site without their own tariff. */
export async function devicesOfSite(db: Db, { id, organise_id }: { id: string; organise_id: string }) {
  const { rows } = await sql<{
    adapter: string
    device_type_id: string
  }>`select distinct adapter, device_type_id from device
    where organise_id = ${organise_id} and site_id = ${id} and tariff_id is null and deleted_at is null`.execute(db)
  return rows
}
