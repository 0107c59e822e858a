import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { type batch, batchFlow, batchItemStatus } from '@wattdeck/contract/system/batch.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { byId, pageOf } from '../../../kit/db/paging.ts'

const columns = [
  'batch_job.id',
  'batch_job.kind',
  'batch_job.title',
  'batch_job.status',
  'batch_job.total',
  'batch_job.done',
  'batch_job.failed',
  'batch_job.reason',
  'batch_job.created_by as createdBy',
  'batch_job.created_at as createdAt',
  'batch_job.finished_at as finishedAt',
] as const

/** Jobs belong to the user who created them, not to others at the same place. */
const own = (db: Db, userId: string) => db.selectFrom('batch_job').where('batch_job.user_id', '=', userId)

export const listJobs = (db: Db, userId: string, filter: QueryOf<typeof batch.list>) =>
  pageOf(
    db,
    own(db, userId).$if(filter.status !== undefined, (query) =>
      query.where('batch_job.status', '=', filter.status ?? 0),
    ),
    filter,
    { key: byId('batch_job.id'), columns: (query) => query.select(columns) },
  )

export const readJob = (db: Db, userId: string, id: string) =>
  own(db, userId).select(columns).where('batch_job.id', '=', id).executeTakeFirst()

export const lockJob = (db: Db, userId: string, id: string) =>
  own(db, userId)
    .select(['id', 'kind', 'status', 'failed', 'total', sql<boolean>`params ? 'mapping'`.as('mapped')])
    .select(sql<boolean>`held_at is not null and approved_at is null`.as('unapproved'))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const listItems = (db: Db, jobId: string, filter: QueryOf<typeof batch.items>) =>
  pageOf(
    db,
    db
      .selectFrom('batch_item')
      .where('job_id', '=', jobId)
      .$if(filter.status !== undefined, (query) => query.where('status', '=', filter.status ?? 0)),
    filter,
    {
      columns: (query) =>
        query.select([sql<string>`seq::text`.as('id'), 'label', 'status', 'reason', 'input']).orderBy('seq'),
    },
  )

export async function move(
  db: Db,
  id: string,
  action: 'commit' | 'retry' | 'cancel',
  values: { failed?: number; cancelled?: boolean } = {},
): Promise<boolean> {
  const moved = await db
    .updateTable('batch_job')
    .set({ ...values, status: batchFlow.to(action), reason: null, finished_at: null })
    .where('id', '=', id)
    .where('status', '=', sql<number>`any(${batchFlow.from(action)})`)
    .executeTakeFirst()
  return moved.numUpdatedRows === 1n
}

/** A running job stops before its next chunk. */
export async function requestCancel(db: Db, id: string): Promise<void> {
  await db.updateTable('batch_job').set({ cancelled: true }).where('id', '=', id).execute()
}

/** Failed rows wait again; finished rows stay unchanged. */
export async function resetFailed(db: Db, id: string): Promise<void> {
  await db
    .updateTable('batch_item')
    .set({ status: batchItemStatus.code.waiting, reason: null })
    .where('job_id', '=', id)
    .where('status', '=', sql.lit(batchItemStatus.code.failed))
    .execute()
}

export const readReason = (db: Db, id: string, seq: number) =>
  db.selectFrom('batch_item').select('reason').where('job_id', '=', id).where('seq', '=', seq).executeTakeFirst()

export async function saveMapping(db: Db, id: string, mapping: object): Promise<void> {
  await db
    .updateTable('batch_job')
    .set({ params: JSON.stringify({ mapping }) })
    .where('id', '=', id)
    .execute()
}
