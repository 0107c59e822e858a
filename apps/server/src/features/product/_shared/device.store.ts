import type { Db } from '../../../kit/db/db.ts'
import { rowExists } from '../../../kit/db/rows.ts'

/** Queries for one device that several features share. */

/** A device in scope, locked for the change that follows. */
export const findDevice = (db: Db, id: string) =>
  db
    .selectFrom('device')
    .select(['id', 'organise_id', 'agent_id', 'site_id', 'device_no', 'name', 'status', 'device_type_id', 'wire_id'])
    .select(['working_ports', 'adapter'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()

export const deviceExists = (db: Db, id: string) => rowExists(db, 'device', { id, deleted_at: null })

export async function setStatus(db: Db, id: string, status: number): Promise<void> {
  await db.updateTable('device').set({ status }).where('id', '=', id).where('status', '<>', status).execute()
}
