import { type batch, type BatchJob, batchStatus } from '@wattdeck/contract/system/batch.ts'
import type { BatchKind } from '../../../kit/bulk/batch-kind.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { checkRows, columnsOf, fixRow, shownValues } from '../../../kit/bulk/imports.ts'
import { conflict, invalid, notFound, orNotFound } from '../../../kit/http/refusal.ts'
import * as store from './batch.store.ts'

type Own = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>

export function batchHandlers(kinds: ReadonlyMap<string, BatchKind>): Handlers<typeof batch> {
  const shown = ({ kind, ...job }: Awaited<ReturnType<typeof store.listJobs>>['rows'][number]) =>
    ({
      ...job,
      module: kinds.get(kind)?.module ?? '',
      isImport: kinds.get(kind)?.import !== undefined,
    }) as BatchJob

  async function ownJob({ db, actor }: Own, id: string) {
    const job = await store.lockJob(db, actor.userId, id)
    const kind = job && kinds.get(job.kind)
    if (job === undefined || kind === undefined) throw notFound()
    return { ...job, kind }
  }

  /** An import that can still be changed. */
  async function preparedImport(ctx: Own, id: string) {
    const job = await ownJob(ctx, id)
    if (job.kind.import === undefined) throw notFound()
    if (job.status !== batchStatus.code.prepared) throw conflict('该导入已提交')
    return job
  }

  return {
    list: async ({ db, actor, query }) => {
      const page = await store.listJobs(db, actor.userId, query)
      return { ...page, rows: page.rows.map(shown) }
    },

    detail: async ({ db, actor, query }) => {
      const job = orNotFound(await store.readJob(db, actor.userId, query.id))
      return shown(job)
    },

    items: async ({ db, actor, params, query }) => {
      const job = await store.readJob(db, actor.userId, params.id)
      const kind = orNotFound(job && kinds.get(job.kind))
      const page = await store.listItems(db, params.id, query)
      const rows = page.rows.map(({ input, ...item }) => ({
        ...item,
        status: item.status as 0 | 1 | 2 | 3 | 4,
        values: kind.import === undefined ? null : shownValues(kind, input),
      }))
      return { ...page, rows }
    },

    retry: async (ctx) => {
      const { db, body } = ctx
      const { unapproved } = await ownJob(ctx, body.id)
      if (unapproved) throw conflict('该任务未通过审批，请重新发起')
      await store.resetFailed(db, body.id)
      if (!(await store.move(db, body.id, 'retry', { failed: 0, cancelled: false })))
        throw conflict('任务尚未结束或没有失败的行')
      await ctx.enqueue('batch.run', { jobId: body.id })
      return null
    },

    cancel: async (ctx) => {
      const { db, body } = ctx
      const job = await ownJob(ctx, body.id)
      if (job.status === batchStatus.code.running) {
        await store.requestCancel(db, body.id)
        // No worker runs a job that only waits for devices, so one is started to notice the cancellation.
        if (job.kind.pending !== undefined) await ctx.enqueue('batch.run', { jobId: body.id })
      } else if (!(await store.move(db, body.id, 'cancel', { cancelled: true }))) throw conflict('任务已结束')
      return null
    },

    mapColumns: async (ctx) => {
      const { db, body } = ctx
      const { kind } = await preparedImport(ctx, body.id)
      const mapping = Object.fromEntries(Object.entries(body.mapping).map(([key, place]) => [key, Number(place)]))
      await checkRows(ctx, kind, body.id, mapping)
      await store.saveMapping(db, body.id, mapping)
      const { failed, total } = await ownJob(ctx, body.id)
      return { failed, total, columns: columnsOf(kind) }
    },

    fixRow: async (ctx) => {
      const { db, body } = ctx
      const { kind } = await preparedImport(ctx, body.id)
      await fixRow(ctx, kind, body.id, body.seq, body.values)
      const row = await store.readReason(db, body.id, body.seq)
      const { failed } = await ownJob(ctx, body.id)
      return { reason: row?.reason ?? null, failed }
    },

    commit: async (ctx) => {
      const { db, body } = ctx
      const job = await preparedImport(ctx, body.id)
      if (!job.mapped) throw conflict('请先匹配列并检查数据')
      if (job.failed === job.total) throw invalid('没有可导入的行')
      await store.move(db, body.id, 'commit')
      await ctx.enqueue('batch.run', { jobId: body.id })
      return null
    },
  }
}
