import { suspicionFlow } from '@wattdeck/contract/system/qr-code-manage.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { organisePlace, type Source } from '../../../kit/db/list-query.ts'

const deviceNoOf = (column: string) => sql`(select device_no from device where id = ${sql.ref(column)})`

export const suspicionSource: Source = {
  table: 'qr_suspicion',
  place: organisePlace('qr_suspicion'),
  computed: {
    codeNo: sql`(select code_no from qr_code where id = qr_suspicion.code_id)`,
    expectedDeviceNo: deviceNoOf('qr_suspicion.expected_device_id'),
    likelyDeviceNo: deviceNoOf('qr_suspicion.likely_device_id'),
    siteName: sql`(select name from site where id = qr_suspicion.site_id)`,
  },
}

/** A suspicion in scope, locked for the change that follows. */
export const findSuspicion = (db: Db, id: string) =>
  db.selectFrom('qr_suspicion').select(['id', 'organise_id']).where('id', '=', id).forUpdate().executeTakeFirst()

type Verdict = { confirmed: boolean; by: string; remark: string | null }

/** Returns false where it was already judged. */
export async function judge(db: Db, id: string, { confirmed, by, remark }: Verdict): Promise<boolean> {
  const move = confirmed ? 'confirm' : 'dismiss'
  const changed = await db
    .updateTable('qr_suspicion')
    .set({ state: suspicionFlow.to(move), remark, handled_by: by, handled_at: sql<string>`now()` })
    .where('id', '=', id)
    .where('state', '=', sql<number>`any(${suspicionFlow.from(move)})`)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}
