import { batchFlow, batchItemStatus, batchStatus } from '@wattdeck/contract/system/batch.ts'
import type { Access } from '@wattdeck/contract/kit/route.ts'
import { type Expression, sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { loadJobActor, mayAct } from '../auth/job-actor.ts'
import { type Actor, placeOf } from '../auth/actor.ts'
import { appendAudit, type AuditEntry } from '../audit/audit.ts'
import { finish, givenLately, hasRunning, type Job, lockJob, stop, tellProgress } from './batch-job.ts'
import { type Db, inScope, commit, type Transaction } from '../db/db.ts'
import type { BatchCtx, BatchKind, BatchTarget } from './batch-kind.ts'
import type { Enqueue } from '../jobs/jobs.ts'
import { publishToOrganisation } from '../events/outbox.ts'
import { invalid, notFound, refusalOf } from '../http/refusal.ts'
import { systemScope } from '../db/system-scope.ts'

/** Most rows of one batch. */
const maxItems = 50_000
const chunk = 100

type Starting = BatchCtx & { enqueue: Enqueue }
type Params = {
  title: string
  params: object
  targets: Expression<{ id: string; label: string }>
  /** How many were named; fewer means that one of them is not there for the caller. */
  expected?: number | undefined
  /** With more rows than this within an hour, in batches of this kind and person, a second person must approve it. */
  freeUpTo?: number | undefined
}

/** Makes the job and its items in the caller's transaction; a worker begins when it has committed. */
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
  const added = await sql`
    insert into batch_item (job_id, seq, organise_id, agent_id, site_id, target_id, label)
    select ${job.id}, row_number() over (order by target.id), ${place.organise_id}, ${place.agent_id}::bigint, ${place.site_id}::bigint,
      target.id, target.label
    from (${targets}) target limit ${maxItems + 1}`.execute(db)
  const total = Number(added.numAffectedRows ?? 0)
  if (total < (expected ?? 0)) throw notFound()
  if (total === 0) throw invalid('当前未选择任何记录')
  if (total > maxItems) throw invalid(`一次最多处理${maxItems}条记录，请缩小查询范围`)
  const held = freeUpTo !== undefined && total + (await givenLately(db, actor.userId, kind.kind)) > freeUpTo
  const status = held ? batchStatus.code.held : batchStatus.code.waiting
  await db
    .updateTable('batch_job')
    .set({ total, status, held_at: held ? sql<string>`now()` : null })
    .where('id', '=', job.id)
    .execute()
  if (!held) await enqueue('batch.run', { jobId: job.id })
  return { jobId: job.id }
}

/**
 * Runs a job to its end, a chunk a transaction. A worker that dies takes at most its unfinished chunk with it, and that
 * is rolled back: the next one goes on with the items that still wait. The job's row is locked, so two never run it.
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

/** Does the next items; answers whether there may be more. */
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
    // Whoever hears of the last row will finish it.
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

/** The line of what was done to some rows of a job, for who asked for it. */
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

/** One row inside the chunk's transaction: what it changed before it failed is undone, the rest of the chunk stays. */
async function attempt(client: pg.PoolClient, log: Logger, work: () => Promise<void>): Promise<string | undefined> {
  // Not waited for: on the pipelined connection they travel with the row's own statements, which fail if they fail.
  const sent = (text: string) => void client.query(text).catch(() => undefined)
  sent('savepoint item')
  try {
    await work()
    sent('release savepoint item')
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
  await sql`update batch_item set reason = told.reason,
      status = case when told.reason is null then ${begun}::smallint else ${code.failed}::smallint end
    from unnest(${seqs}::int[], ${reasons}::text[]) told (seq, reason)
    where batch_item.job_id = ${job.id} and batch_item.seq = told.seq`.execute(db)
  const done = job.done + (kind.pending === undefined ? items.length - failures.size : 0)
  const failed = job.failed + failures.size
  await db
    .updateTable('batch_job')
    .set({ done, failed, status: batchFlow.to('start'), started_at: sql<string>`coalesce(started_at, now())` })
    .where('id', '=', job.id)
    .execute()
  await tellProgress(db, { ...job, done, failed, status: batchFlow.to('start') })
}
