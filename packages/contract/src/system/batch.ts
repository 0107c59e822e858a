import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { page, PageQuery } from '../kit/page.ts'
import { done, get, post } from '../kit/route.ts'
import { id, row, time } from '../kit/wire.ts'

export const batchStatus = codes({
  prepared: { code: 0, label: '待提交', tone: 'book' },
  waiting: { code: 1, label: '排队中', tone: 'off' },
  running: { code: 2, label: '执行中', tone: 'run' },
  done: { code: 3, label: '已完成', tone: 'ok' },
  partly: { code: 4, label: '部分失败', tone: 'warn' },
  cancelled: { code: 5, label: '已取消', tone: 'off' },
  stopped: { code: 6, label: '已中止', tone: 'bad' },
  held: { code: 7, label: '待审批', tone: 'book' },
})
export const batchFlow = batchStatus.flow({
  commit: { from: ['prepared'], to: 'waiting' },
  /** Only by a person other than the requester. */
  approve: { from: ['held'], to: 'waiting' },
  start: { from: ['waiting', 'running'], to: 'running' },
  finish: { from: ['running'], to: 'done' },
  finishPartly: { from: ['running'], to: 'partly' },
  retry: { from: ['partly', 'cancelled', 'stopped'], to: 'waiting' },
  cancel: { from: ['prepared', 'held', 'waiting', 'running'], to: 'cancelled' },
  stop: { from: ['waiting', 'running'], to: 'stopped' },
})

export const batchItemStatus = codes({
  waiting: { code: 0, label: '待处理', tone: 'off' },
  done: { code: 1, label: '成功', tone: 'ok' },
  failed: { code: 2, label: '失败', tone: 'bad' },
  leftOut: { code: 3, label: '已跳过', tone: 'off' },
  /** Started; the result arrives later. */
  running: { code: 4, label: '执行中', tone: 'run' },
})

export type BatchJob = z.infer<typeof BatchJob>
export const BatchJob = row({
  id: z.string(),
  title: z.string(),
  module: z.string(),
  isImport: z.boolean(),
  status: batchStatus.schema,
  total: z.int(),
  done: z.int(),
  failed: z.int(),
  reason: z.string().nullable(),
  createdBy: z.string(),
  createdAt: time,
  finishedAt: time.nullable(),
})

export type BatchItem = z.infer<typeof BatchItem>
export const BatchItem = row({
  id: z.string().describe('row number in the job'),
  label: z.string(),
  status: batchItemStatus.schema,
  reason: z.string().nullable(),
  values: z.record(z.string(), z.string()).nullable().describe('for an import: by column, personal columns masked'),
})

/** The target columns for the columns of a sheet. */
export type ImportColumn = z.infer<typeof ImportColumn>
export const ImportColumn = row({ key: z.string(), title: z.string(), required: z.boolean(), note: z.string() })

export type ImportSheet = z.infer<typeof ImportSheet>
export const ImportSheet = row({
  jobId: z.string(),
  rows: z.int(),
  head: z.array(z.string()),
  sample: z.array(z.array(z.string())).describe('first rows of the sheet; personal columns masked'),
  columns: z.array(ImportColumn),
  mapping: z.record(z.string(), z.int()).describe('column key → index in the head, where titles match'),
})

const module = '批量任务'
const own = { access: 'anyone' } as const
const mappingText = z
  .string()
  .max(2000)
  .regex(/^\w{1,40}:\d{1,3}(,\w{1,40}:\d{1,3})*$/, '请选择对应的列')
  .transform((text) => Object.fromEntries(text.split(',').map((part) => part.split(':') as [string, string])))

/** Users see and control only the jobs they started; the rights of a job are checked again while it runs. */
export const batch = {
  list: get('/seeker/api/batch/pageList', {
    ...own,
    query: PageQuery.extend({ status: batchStatus.wire.optional() }),
    data: page(BatchJob),
  }),
  detail: get('/seeker/api/batch/detail', { ...own, query: row({ id }), data: BatchJob }),
  items: get('/seeker/api/batch/items/{id}', {
    ...own,
    params: row({ id }),
    query: PageQuery.extend({ status: batchItemStatus.wire.optional() }),
    data: page(BatchItem),
  }),
  retry: post('/seeker/api/batch/retry', {
    ...own,
    audit: { module, does: '重试失败的行' },
    body: row({ id }),
    data: done,
  }),
  cancel: post('/seeker/api/batch/cancel', {
    ...own,
    audit: { module, does: '取消批量任务' },
    body: row({ id }),
    data: done,
  }),
  /** Validates every row against the selected columns; nothing is written to the list yet. */
  mapColumns: post('/seeker/api/batch/mapColumns', {
    ...own,
    audit: { module, does: '匹配导入列' },
    body: row({ id, mapping: mappingText }),
    data: row({ total: z.int(), failed: z.int(), columns: z.array(ImportColumn) }),
  }),
  fixRow: post('/seeker/api/batch/fixRow', {
    ...own,
    audit: { module, does: '修正导入行' },
    encoding: 'json',
    body: row({
      id,
      seq: z.int().min(1).max(100_000),
      values: z.record(z.string().regex(/^\w{1,40}$/), z.string().max(2000)).describe('changed values only'),
    }),
    data: row({ reason: z.string().nullable(), failed: z.int() }),
  }),
  commit: post('/seeker/api/batch/commit', {
    ...own,
    audit: { module, does: '提交导入' },
    idempotent: true,
    body: row({ id }),
    data: done,
  }),
}
