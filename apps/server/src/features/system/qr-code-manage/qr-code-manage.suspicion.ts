import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { type qrCodeManage, type QrSuspicion, suspicionFlow } from '@wattdeck/contract/system/qr-code-manage.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { byId, pageOf } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'

const deviceNoOf = (column: string) => sql<string | null>`(select device_no from device where id = ${sql.ref(column)})`

export async function listSuspicions(db: Db, scope: Scope, filter: QueryOf<typeof qrCodeManage.suspicions>) {
  const matching = db
    .selectFrom('qr_suspicion')
    .$if(scope.level > 0, (query) => query.where('qr_suspicion.organise_id', '=', scope.organiseId))
    .$if(filter.state !== undefined, (query) => query.where('qr_suspicion.state', '=', filter.state ?? 0))
  const found = await pageOf(db, matching, filter, {
    key: byId('qr_suspicion.id'),
    columns: (query) =>
      query
        .select(['id', 'expected_device_id as expectedDeviceId', 'likely_device_id as likelyDeviceId', 'times', 'at'])
        .select(['likely_port_no as likelyPortNo', 'remark', 'handled_by as handledBy', 'handled_at as handledAt'])
        .select([
          sql<QrSuspicion['state']>`qr_suspicion.state`.as('state'),
          sql<string | null>`(select code_no from qr_code where id = qr_suspicion.code_id)`.as('codeNo'),
          deviceNoOf('qr_suspicion.expected_device_id').as('expectedDeviceNo'),
          deviceNoOf('qr_suspicion.likely_device_id').as('likelyDeviceNo'),
          sql<string | null>`(select name from site where id = qr_suspicion.site_id)`.as('siteName'),
        ]),
  })
  return { ...found, rows: found.rows as QrSuspicion[] }
}

/** A suspicion in scope, locked for the change that follows. */
export const findSuspicion = (db: Db, id: string) =>
  db.selectFrom('qr_suspicion').select(['id', 'organise_id']).where('id', '=', id).forUpdate().executeTakeFirst()

type Verdict = { confirmed: boolean; by: string; remark: string | null }

/** Whether it was open until now. */
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
