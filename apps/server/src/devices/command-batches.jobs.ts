import { commandStatus } from '@wattdeck/contract/product/device-command.ts'
import { batchItemStatus, batchStatus } from '@wattdeck/contract/system/batch.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { settleItems } from '../kit/batch-job.ts'
import { inScope, keep } from '../kit/db.ts'
import { systemScope } from '../kit/system-scope.ts'
import { commandReason } from './command-words.ts'

const everyMs = 500
const most = 2000

/** Tells batches what became of the commands they gave. Several workers share them, a job at a time. */
export function watchCommandBatches(pool: pg.Pool, log: Logger): () => void {
  let busy = false
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    settleAll(pool)
      .catch((error: unknown) => log.error({ err: error }, 'batches of commands could not be settled'))
      .finally(() => {
        busy = false
      })
  }, everyMs)
  return () => clearInterval(timer)
}

async function settleAll(pool: pg.Pool): Promise<void> {
  const jobs = await inScope(pool, systemScope, 'read', async ({ db }) => {
    const { running, cancelled } = batchStatus.code
    const { rows } = await sql<{ id: string }>`select id from batch_job job where status in (${running}, ${cancelled})
      and exists (select from batch_item item where item.job_id = job.id and item.status = ${batchItemStatus.code.running})`.execute(
      db,
    )
    return keep(rows)
  })
  for (const { id } of jobs) await inScope(pool, systemScope, 'record', ({ db }) => settleJob(db, id))
}

async function settleJob(db: Parameters<typeof settleItems>[0], jobId: string) {
  const { rows } = await sql<{ seq: number; status: number; reason: string | null }>`
    select item.seq, command.status, command.reason from batch_item item
    join device_command command on command.job_id = item.job_id and command.job_seq = item.seq and not command.superseded
    where item.job_id = ${jobId} and item.status = ${batchItemStatus.code.running} and command.ended_at is not null limit ${most}`.execute(
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
  return keep(undefined)
}
