import { commandStatus } from '@wattdeck/contract/product/device-command.ts'
import { batchItemStatus } from '@wattdeck/contract/system/batch.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { settleItems } from '../../kit/bulk/batch-job.ts'
import { type Db, inScope, commit } from '../../kit/db/db.ts'
import { startPeriodicJob } from '../../kit/jobs/every.ts'
import { systemScope } from '../../kit/db/system-scope.ts'
import { commandReason } from './command-labels.ts'

const everyMs = 500
const most = 2000

/** Transfers command results to their batch jobs. Each job has its own transaction. */
export function watchCommandBatches(pool: pg.Pool, log: Logger): () => Promise<void> {
  return startPeriodicJob({ name: 'command batches', everyMs, round: () => settleAll(pool), log })
}

async function settleAll(pool: pg.Pool): Promise<void> {
  const jobs = await inScope(pool, systemScope, 'read', async ({ db }) => commit(await jobsWithRunning(db)))
  for (const id of jobs) await inScope(pool, systemScope, 'record', ({ db }) => settleJob(db, id))
}

/**
 * Jobs with running rows, regardless of the status of the job. A loose index scan steps through the partial index from
 * job to job. So old jobs and the rows per job add no cost. The status is a literal, as the index requires.
 */
async function jobsWithRunning(db: Db): Promise<string[]> {
  const running = sql`from batch_item where status = ${sql.lit(batchItemStatus.code.running)}`
  const { rows } = await sql<{ id: string }>`with recursive begun (id) as (
      (select job_id ${running} order by job_id limit 1)
      union all
      select (select job_id ${running} and job_id > begun.id order by job_id limit 1) from begun where begun.id is not null)
    select id from begun where id is not null`.execute(db)
  return rows.map(({ id }) => id)
}

async function settleJob(db: Db, jobId: string) {
  const { rows } = await sql<{ seq: number; status: number; reason: string | null }>`
    select item.seq, command.status, command.reason from batch_item item
    join device_command command on command.job_id = item.job_id and command.job_seq = item.seq and not command.superseded
    where item.job_id = ${jobId} and item.status = ${sql.lit(batchItemStatus.code.running)} and command.ended_at is not null limit ${most}`.execute(
    db,
  )
  const { done, cancelled } = commandStatus.code
  const reasonOf = ({ status, reason }: (typeof rows)[number]) =>
    status === done ? null : status === cancelled ? '已取消' : (commandReason(reason) ?? '失败')
  if (rows.length > 0)
    await settleItems(
      db,
      jobId,
      rows.map((row) => ({ seq: row.seq, reason: reasonOf(row) })),
    )
  return commit(undefined)
}
