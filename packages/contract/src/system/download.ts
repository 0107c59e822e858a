import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { asFile, type DataOf, post } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { id, keyword, row } from '../kit/wire.ts'
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

const menu = menuKey.download
const module = '下载管理'
const { change, changeMany } = screenRoutes({ menu, module })

export const downloadList = defineList('/seeker/api/download', {
  menu,
  module,
  fields: {
    title: f.shown('任务名称', { width: 160 }),
    status: f.code('状态', downloadStatus, { width: 90 }),
    module: f.shown('模块', { width: 110 }),
    conditions: f.shown('查询条件'),
    rows: f.count('行数', { optional: true, width: 100 }),
    bytes: f.count('文件大小', { optional: true, width: 110 }),
    reason: f.shown('失败原因', { optional: true, width: 160, hidden: true }),
    createdBy: f.shown('申请人', { width: 100 }),
    createdAt: f.time('申请时间', { width: 180 }),
    finishedAt: f.time('完成时间', { optional: true, width: 180, hidden: true }),
    expiresAt: f.time('过期时间', { optional: true, width: 180 }),
    format: f.data(z.enum(['xlsx', 'csv', 'zip']).nullable()),
    own: f.data(z.boolean().describe('requested by the caller; only the requester may download it')),
  },
  decided: [
    ['title', 'module'],
    ['status'],
    ['conditions'],
    ['rows', 'bytes'],
    ['createdAt', 'createdBy'],
    ['expiresAt'],
  ],
  filter: { own: { module: { title: '模块', schema: keyword } }, exact: ['status'], days: 'createdAt' },
})
export type Download = DataOf<typeof downloadList.routes.list>['rows'][number]

export const download = {
  ...downloadList.routes,
  retry: change('/seeker/api/download/retry', '重新生成文件', { id }, { action: 'export' }),
  remove: changeMany('/seeker/api/download/delete', '删除下载任务', {}, 'delete'),
  /** The file itself; the download is logged. */
  file: post('/seeker/api/download/file', {
    access: { menu },
    audit: { module, does: '下载文件' },
    body: row({ id }),
    ...asFile,
  }),
}
