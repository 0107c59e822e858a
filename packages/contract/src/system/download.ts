import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { page, PageQuery } from '../kit/page.ts'
import { asFile, done, get, post } from '../kit/route.ts'
import { date, id, idList, keyword, row, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'

export const downloadStatus = codes({
  waiting: { code: 0, label: '排队中', tone: 'off' },
  running: { code: 1, label: '生成中', tone: 'run' },
  done: { code: 2, label: '已完成', tone: 'ok' },
  failed: { code: 3, label: '失败', tone: 'bad' },
  expired: { code: 4, label: '已过期', tone: 'off' },
})
export const downloadFlow = downloadStatus.flow({
  start: { from: ['waiting', 'running'], to: 'running' },
  finish: { from: ['running'], to: 'done' },
  fail: { from: ['waiting', 'running'], to: 'failed' },
  retry: { from: ['failed', 'expired'], to: 'waiting' },
  expire: { from: ['done'], to: 'expired' },
  fetch: { from: ['done'], to: 'done' },
})

export type Download = z.infer<typeof Download>
export const Download = row({
  id: z.string(),
  title: z.string(),
  module: z.string(),
  conditions: z.string(),
  format: z.enum(['xlsx', 'csv', 'zip']).nullable(),
  rows: z.int().nullable(),
  bytes: z.int().nullable(),
  status: downloadStatus.schema,
  reason: z.string().nullable(),
  createdBy: z.string(),
  own: z.boolean().describe('asked for by the caller, who alone may fetch it'),
  createdAt: time,
  finishedAt: time.nullable(),
  expiresAt: time.nullable(),
})

const menu = menuKey.download
const module = '下载管理'

export const download = {
  list: get('/seeker/api/download/pageList', {
    access: { menu },
    query: PageQuery.extend({
      module: keyword.optional(),
      status: downloadStatus.wire.optional(),
      from: date.optional(),
      to: date.optional(),
    }),
    data: page(Download),
  }),
  retry: post('/seeker/api/download/retry', {
    access: { menu, action: 'export' },
    audit: { module, does: '重新生成文件' },
    body: row({ id }),
    data: done,
  }),
  remove: post('/seeker/api/download/delete', {
    access: { menu, action: 'delete' },
    audit: { module, does: '删除下载任务' },
    body: row({ ids: idList() }),
    data: row({ changed: z.int() }),
  }),
  /** The file itself; that it left is in the log. */
  file: post('/seeker/api/download/file', {
    access: { menu },
    audit: { module, does: '下载文件' },
    body: row({ id }),
    ...asFile,
  }),
}
