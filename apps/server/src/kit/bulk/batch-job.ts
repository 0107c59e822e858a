import { batchFlow, batchItemStatus, batchStatus } from '@wattdeck/contract/system/batch.ts'
import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { notify, publishLive } from '../events/outbox.ts'

/** The database row of a batch: its progress and its end. */

export type Job = NonNullable<Awaited<ReturnType<typeof lockJob>>>
export const lockJob = (db: Db, id: string) =>
  db
    .selectFrom('batch_job')
    .select(['id', 'organise_id', 'agent_id', 'site_id', 'user_id', 'kind', 'title', 'params', 'status'])
    .select(['total', 'done', 'failed', 'cancelled'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const publishProgress = (db: Db, { id, title, status, total, done, failed, ...job }: Job) =>
  publishLive(db, job, job.user_id, { kind: 'job', job: { id, title, status, total, done, failed } })

export async function finish(db: Db, job: Job, status: number): Promise<false> {
  await db
    .updateTable('batch_job')
    .set({ status, finished_at: sql<string>`now()` })
    .where('id', '=', job.id)
    .execute()
  await publishProgress(db, { ...job, status })
  const { label } = batchStatus.show(status as never)
  const body = `${job.title}：成功${job.done}条，失败${job.failed}条`
  await notify(
    db,
    { ...job, userId: job.user_id },
    { type: 0, title: `批量任务${label}`, body, route: `/system/download?tab=batch&job=${job.id}` },
  )
  return false
}

/** Stops a batch that cannot continue. Finished rows stay done; the others wait for a retry. */
export async function stop(db: Db, jobId: string, reason: string): Promise<false> {
  await db
    .updateTable('batch_job')
    .set({ status: batchFlow.to('stop'), reason, finished_at: sql<string>`now()` })
    .where('id', '=', jobId)
    .where('status', '=', sql<number>`any(${batchFlow.from('stop')})`)
    .execute()
  return false
}

/**
 * Counts the rows of a person's unapproved batches of a kind within the last hour. Many small batches thus need approval like
 * a large one. Batches cancelled before their start do not count. An advisory lock serialises requests of one person.
 */
export async function countRecentUnapprovedRows(db: Db, userId: string, kind: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('batches without approval'), hashtext(${userId}::text))`.execute(db)
  const { rows } = await sql<{ total: number }>`select coalesce(sum(total), 0)::int as total from batch_job
    where user_id = ${userId} and kind = ${kind} and created_at > now() - interval '1 hour' and held_at is null
      and (status <> ${batchStatus.code.cancelled} or started_at is not null)`.execute(db)
  return rows[0]?.total ?? 0
}

export const hasRunning = async (db: Db, jobId: string): Promise<boolean> =>
  (await db
    .selectFrom('batch_item')
    .select('seq')
    .where('job_id', '=', jobId)
    .where('status', '=', sql.lit(batchItemStatus.code.running))
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Stores the outcome of running rows; a null reason is success. The job ends with its last row. */
export async function settleItems(
  db: Db,
  jobId: string,
  ended: readonly { seq: number; reason: string | null }[],
): Promise<void> {
  const job = await lockJob(db, jobId)
  if (job === undefined) return
  const { done: succeeded, failed: failedStatus, running, waiting } = batchItemStatus.code
  const { rows } = await sql<{ reason: string | null }>`update batch_item set reason = result.reason,
      status = case when result.reason is null then ${succeeded}::smallint else ${failedStatus}::smallint end
    from unnest(${ended.map(({ seq }) => seq)}::int[], ${ended.map(({ reason }) => reason)}::text[]) result (seq, reason)
    where batch_item.job_id = ${jobId} and batch_item.seq = result.seq and batch_item.status = ${running}
    returning batch_item.reason`.execute(db)
  const failures = rows.filter(({ reason }) => reason !== null).length
  const counts = { done: job.done + rows.length - failures, failed: job.failed + failures }
  await db.updateTable('batch_job').set(counts).where('id', '=', jobId).execute()
  const settled = { ...job, ...counts }
  await publishProgress(db, settled)
  const some = (status: number) =>
    sql`exists (select from batch_item where job_id = ${jobId} and status = ${sql.lit(status)})`
  const unfinished = await sql<{ any: boolean }>`select ${some(waiting)} or ${some(running)} as any`.execute(db)
  if (unfinished.rows[0]?.any === false && batchFlow.can('finish', job.status as never))
    await finish(db, settled, batchFlow.to(settled.failed > 0 ? 'finishPartly' : 'finish'))
}
