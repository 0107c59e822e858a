import {
  commandFlow,
  type DeviceCommandRow,
  type deviceCommand,
  maxWaitHours,
} from '@wattdeck/contract/product/device-command.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { batchFlow, batchStatus } from '@wattdeck/contract/system/batch.ts'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Source } from '../../../kit/db/list-query.ts'
import { withinOrganise } from '../../../kit/db/ownership.ts'
import { byId, pageOf } from '../../../kit/db/paging.ts'
import { commandColumns, commandInWords } from '../../../core/devices/command-columns.ts'
import { rowExists } from '../../../kit/db/rows.ts'

export const isCodeOf = (db: Db, codeId: string, deviceId: string) =>
  rowExists(db, 'qr_code', { id: codeId, device_id: deviceId })

export async function switchPort(db: Db, deviceId: string, portNo: number, enabled: boolean) {
  await db
    .updateTable('port')
    .set({ enabled })
    .where('device_id', '=', deviceId)
    .where('port_no', '=', portNo)
    .execute()
}

const commands = (db: Db, condition: Expression<SqlBool>) => db.selectFrom('device_command').where(condition)

export async function listCommands(db: Db, deviceId: string, filter: QueryOf<typeof deviceCommand.list>) {
  const matching = commands(db, sql<SqlBool>`device_command.device_id = ${deviceId}`)
    .$if(filter.status !== undefined, (query) => query.where('device_command.status', '=', filter.status ?? 0))
    .$if(filter.kind !== undefined, (query) => query.where('device_command.kind', '=', filter.kind ?? ''))
  const page = await pageOf(db, matching, filter, {
    key: byId('device_command.id'),
    columns: (query) => query.select(commandColumns),
  })
  return { ...page, rows: page.rows.map(commandInWords) }
}

export async function readCommand(db: Db, id: string): Promise<DeviceCommandRow | undefined> {
  const row = await commands(db, sql<SqlBool>`device_command.id = ${id}`)
    .select(commandColumns)
    .executeTakeFirst()
  return row && commandInWords(row)
}

/** Returns false where the command was already sent or has ended. */
export async function cancelCommand(db: Db, id: string): Promise<boolean> {
  const changed = await db
    .updateTable('device_command')
    .set({ status: commandFlow.to('cancel'), reason: 'cancelled', ended_at: sql<string>`now()` })
    .where('id', '=', id)
    .where('status', '=', sql<number>`any(${commandFlow.from('cancel')})`)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

const someLabels = 5
/** Batches of these kinds that wait for approval, as the reader sees them. */
export const pendingJobSource = (kinds: readonly string[], readerId: string): Source => ({
  table: 'batch_job',
  where: sql`batch_job.status = ${batchStatus.code.held} and batch_job.kind = any(${kinds})`,
  computed: {
    own: sql`batch_job.user_id = ${readerId}`,
    labels: sql`array(select label from batch_item where job_id = batch_job.id order by seq limit ${someLabels})`,
  },
  own: (_filter, { scope }) => withinOrganise('batch_job', scope),
})

export const lockPendingJob = (db: Db, kinds: readonly string[], id: string) =>
  db
    .selectFrom('batch_job')
    .select(['id', 'user_id', 'title', 'organise_id', 'agent_id', 'site_id'])
    .select(sql<boolean>`created_at < now() - make_interval(hours => ${maxWaitHours})`.as('stale'))
    .where('id', '=', id)
    .where('kind', '=', sql<string>`any(${kinds})`)
    .forUpdate()
    .executeTakeFirst()

export async function decide(
  db: Db,
  id: string,
  decision: { as: 'approve'; by: string } | { as: 'cancel'; reason: string },
): Promise<boolean> {
  const now = sql<string>`now()`
  const values =
    decision.as === 'approve'
      ? { approved_by: decision.by, approved_at: now }
      : { reason: decision.reason, finished_at: now, cancelled: true }
  const changed = await db
    .updateTable('batch_job')
    .set({ status: batchFlow.to(decision.as), ...values })
    .where('id', '=', id)
    .where('status', '=', batchStatus.code.held)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}
