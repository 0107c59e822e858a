import { batchFlow, batchItemStatus, batchStatus } from '@wattdeck/contract/system/batch.ts'
import type { Access } from '@wattdeck/contract/kit/route.ts'
import { type Expression, sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { loadJobActor, mayAct } from '../auth/job-actor.ts'
import { type Actor, placeOf } from '../auth/actor.ts'
import { appendAudit, type AuditEntry } from '../audit/audit.ts'
import { finish, countRecentUnapprovedRows, hasRunning, type Job, lockJob, stop, publishProgress } from './batch-job.ts'
import { type Db, inScope, commit, type Transaction } from '../db/db.ts'
import type { BatchCtx, BatchKind, BatchTarget } from './batch-kind.ts'
import type { Enqueue } from '../jobs/jobs.ts'
import { publishToOrganisation } from '../events/outbox.ts'
import { invalid, notFound, refusalOf } from '../http/refusal.ts'
import { systemScope } from '../db/system-scope.ts'

/** Limit of rows in a batch. */
const maxItems = 50_000
const chunk = 100

type Starting = BatchCtx & { enqueue: Enqueue }
type Params = {
  title: string
  params: object
  targets: Expression<{ id: string; label: string }>
  /** Number of selected rows. Fewer targets mean that a row is outside of the caller's scope. */
  expected?: number | undefined
  /** Limit of rows an hour, per person and kind. Beyond it a second person must approve the batch (maker-checker). */
  freeUpTo?: number | undefined
}

/** Creates the job and its items in the caller's transaction. A worker starts it after the commit. */
export async function startBatch(
  { db, actor, enqueue }: Starting,
  kind: BatchKind,
  { title, params, targets, expected, freeUpTo }: Params,
): Promise<{ jobId: string }> {
  const place = placeOf(actor)
  const job = await db
    .insertInto('batch_job')
    .values({
      ...place,
      user_id: actor.userId,
      kind: kind.kind,
      title,
      params: JSON.stringify(params),
      created_by: actor.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  // The rows are counted before they are written, so that a refused batch costs no writes.
  const { rows } = await sql<{ total: number }>`
    with target as materialized (
      select id, label from (${targets}) chosen limit ${maxItems + 1}
    ), counted as (
      select count(*)::int as total from target
    ), added as (
      insert into batch_item (job_id, seq, organise_id, agent_id, site_id, target_id, label)
      select ${job.id}, row_number() over (order by target.id), ${place.organise_id}, ${place.agent_id}::bigint, ${place.site_id}::bigint,
        target.id, target.label
      from target, counted
      where counted.total <= ${maxItems}
    )
    select total from counted`.execute(db)
  const total = rows[0]?.total ?? 0
  if (total < (expected ?? 0)) throw notFound()
  if (total === 0) throw invalid('当前未选择任何记录')
  if (total > maxItems) throw invalid(`一次最多处理${maxItems}条记录，请缩小查询范围`)
  const needsApproval =
    freeUpTo !== undefined && total + (await countRecentUnapprovedRows(db, actor.userId, kind.kind)) > freeUpTo
  const status = needsApproval ? batchStatus.code.held : batchStatus.code.waiting
  await db
    .updateTable('batch_job')
    .set({ total, status, held_at: needsApproval ? sql<string>`now()` : null })
    .where('id', '=', job.id)
    .execute()
  if (!needsApproval) await enqueue('batch.run', { jobId: job.id })
  return { jobId: job.id }
}

/**
 * Runs a job to its end, one transaction per chunk. A crash of the worker rolls back only the current chunk; the next worker
 * continues with the waiting items. The job's row is locked, so two workers never run it at once.
 */
export async function runBatch(
  pool: pg.Pool,
  kinds: ReadonlyMap<string, BatchKind>,
  log: Logger,
  jobId: string,
): Promise<void> {
  for (;;) {
    const userId = await ownerOf(pool, jobId)
    const actor = userId === undefined ? undefined : await loadJobActor(pool, userId)
    const goesOn =
      actor === undefined
        ? await inScope(pool, systemScope, 'write', async ({ db }) => commit(await stop(db, jobId, '发起人已停用')))
        : await inScope(pool, actor.scope, 'write', async (transaction) =>
            commit(await runChunk(transaction, actor, kinds, log, jobId)),
          )
    if (!goesOn) return
  }
}

const ownerOf = (pool: pg.Pool, jobId: string) =>
  inScope(pool, systemScope, 'read', async ({ db }) => {
    const job = await db.selectFrom('batch_job').select('user_id').where('id', '=', jobId).executeTakeFirst()
    return commit(job?.user_id)
  })

/** Processes the next items. Returns whether there may be more. */
async function runChunk(
  { db, client }: Transaction,
  actor: Actor,
  kinds: ReadonlyMap<string, BatchKind>,
  log: Logger,
  jobId: string,
): Promise<boolean> {
  const started = performance.now()
  const job = await lockJob(db, jobId)
  if (job === undefined || !batchFlow.can('start', job.status as never)) return false
  const kind = kinds.get(job.kind)
  if (kind === undefined) return stop(db, jobId, '任务类型已不受支持')
  if (!mayAct(actor, kind.access as Access)) return stop(db, jobId, '您没有该操作的权限')
  if (job.cancelled) {
    await kind.pending?.cancel({ db, scope: actor.scope, actor }, jobId)
    await appendAudit(client, entryOf(actor, job, kind, { rows: '已取消', from: 'cancelled', started }))
    return finish(db, job, batchFlow.to('cancel'))
  }
  const items = await nextItems(db, jobId)
  const [first, last] = [items[0], items.at(-1)]
  if (first === undefined || last === undefined) {
    // settleItems finishes the job with its last running row.
    if (kind.pending !== undefined && (await hasRunning(db, jobId))) return false
    return finish(db, job, batchFlow.to(job.failed > 0 ? 'finishPartly' : 'finish'))
  }

  const params = kind.params.parse(job.params)
  const failures = new Map<number, string>()
  for (const item of items) {
    const reason = await attempt(client, log, () =>
      kind.apply({ db, scope: actor.scope, actor }, params as never, item),
    )
    if (reason !== undefined) failures.set(item.seq, reason)
  }
  await record(db, job, kind, items, failures)
  const rows = `第${first.seq}-${last.seq}行，失败${failures.size}行`
  await appendAudit(client, entryOf(actor, job, kind, { rows, from: String(first.seq), started }))
  await publishToOrganisation(db, placeOf(actor), { kind: 'changed', list: kind.list })
  return true
}

/** The audit entry for a chunk of a job, in the name of the requester. */
const entryOf = (
  actor: Actor,
  job: Job,
  { kind, module, access }: BatchKind,
  { rows, from, started }: { rows: string; from: string; started: number },
): AuditEntry => ({
  ...placeOf(actor),
  user_id: actor.userId,
  user_name: actor.userName,
  login_name: actor.loginName,
  module,
  kind: access.action,
  content: `${job.title}（${rows}）`,
  path: `batch/${kind}`,
  ip: null,
  duration_ms: Math.round(performance.now() - started),
  result: 1,
  reason: null,
  request_id: `batch-${job.id}-${from}`,
})

const nextItems = (db: Db, jobId: string): Promise<BatchTarget[]> =>
  db
    .selectFrom('batch_item')
    .select(['job_id', 'seq', 'target_id', 'input'])
    .where('job_id', '=', jobId)
    .where('status', '=', sql.lit(batchItemStatus.code.waiting))
    .orderBy('seq')
    .limit(chunk)
    .execute()

/** Processes one row in a savepoint of the chunk's transaction: a failure rolls back this row only. */
async function attempt(client: pg.PoolClient, log: Logger, work: () => Promise<void>): Promise<string | undefined> {
  // Not awaited: they are pipelined with the row's own statements, which fail when these fail.
  const sendQuery = (text: string) => void client.query(text).catch(() => undefined)
  sendQuery('savepoint item')
  try {
    await work()
    sendQuery('release savepoint item')
    return undefined
  } catch (error) {
    await client.query('rollback to savepoint item')
    const refusal = refusalOf(error)
    if (refusal !== undefined && refusal.status < 500) return refusal.message
    log.error({ err: error }, 'batch row failed')
    return '系统错误，请稍后重试'
  }
}

async function record(
  db: Db,
  job: Job,
  kind: BatchKind,
  items: readonly BatchTarget[],
  failures: ReadonlyMap<number, string>,
) {
  const { code } = batchItemStatus
  const begun = kind.pending === undefined ? code.done : code.running
  const seqs = items.map((item) => item.seq)
  const reasons = items.map((item) => failures.get(item.seq) ?? null)
  await sql`update batch_item set reason = result.reason,
      status = case when result.reason is null then ${begun}::smallint else ${code.failed}::smallint end
    from unnest(${seqs}::int[], ${reasons}::text[]) result (seq, reason)
    where batch_item.job_id = ${job.id} and batch_item.seq = result.seq`.execute(db)
  const done = job.done + (kind.pending === undefined ? items.length - failures.size : 0)
  const failed = job.failed + failures.size
  await db
    .updateTable('batch_job')
    .set({ done, failed, status: batchFlow.to('start'), started_at: sql<string>`coalesce(started_at, now())` })
    .where('id', '=', job.id)
    .execute()
  await publishProgress(db, { ...job, done, failed, status: batchFlow.to('start') })
}
