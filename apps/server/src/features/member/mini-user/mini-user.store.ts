import type { Db } from '../../../kit/db/db.ts'

/** A member in scope, locked for the change that follows. */
export const findMember = (db: Db, id: string) =>
  db.selectFrom('member').select(['id', 'organise_id', 'nickname']).where('id', '=', id).forUpdate().executeTakeFirst()

/** Whether it was another until now. */
export async function setStatus(db: Db, id: string, status: 0 | 1): Promise<boolean> {
  const changed = await db
    .updateTable('member')
    .set({ status })
    .where('id', '=', id)
    .where('status', '<>', status)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}
