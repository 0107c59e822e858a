import { z } from 'zod'
import { actionKinds } from '../common.ts'
import { codes } from '../kit/codes.ts'
import { f, rowOf } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { type DataOf, get } from '../kit/route.ts'
import { id, keyword, personKeyword, row } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'

export const logResult = codes({
  success: { code: 1, label: '成功', tone: 'ok' },
  failure: { code: 0, label: '失败', tone: 'bad' },
})

/** The kind of a logged action: the action kind of its route, a login, or a change of the own account. */
export const logKind = codes({
  ...actionKinds,
  login: { code: 'login', label: '登录' },
  own: { code: 'own', label: '个人操作' },
})

const menu = menuKey.log

export const logList = defineList('/seeker/api/log', {
  menu,
  module: '日志管理',
  fields: {
    at: f.time('操作时间', { width: 170 }),
    userName: f.shown('操作人', { width: 90, optional: true, object: { kind: 'staff', id: 'userId' } }),
    loginName: f.shown('账号', { width: 90, optional: true }),
    module: f.shown('模块', { width: 90 }),
    kind: f.code('操作类型', logKind, { width: 90 }),
    content: f.shown('操作内容', { width: 150 }),
    result: f.code('结果', logResult, { width: 70 }),
    ...f.owner,
    organiseName: { ...f.owner.organiseName, out: z.string().nullable() },
    ip: f.shown('IP', { width: 120, optional: true }),
    place: f.shown('归属地', {
      width: 80,
      about: 'network of the address: this machine, private or public',
    }),
    durationMs: f.count('耗时(ms)', { width: 90 }),
    path: f.shown('请求地址', { width: 260 }),
    traceId: f.no('追踪号', { width: 330 }),
    organiseId: f.data(z.string().nullable()),
    userId: f.data(z.string().nullable()),
  },
  decided: [
    ['at'],
    ['userName', 'loginName'],
    ['module', 'kind'],
    ['content', 'path'],
    ['result', 'durationMs'],
    ['ip', 'place'],
    ['organiseName', 'agentName'],
    ['siteName'],
  ],
  sorts: ['at'],
  filter: {
    own: {
      operator: { title: '操作人/账号', schema: personKeyword.describe('name or login name') },
      module: { title: '模块', schema: keyword },
    },
    exact: ['kind', 'result'],
    days: 'at',
    owner: ['organise'],
    order: ['operator', 'module', 'kind', 'from', 'result', 'owner'],
  },
  exports: true,
})
export type LogEntry = DataOf<typeof logList.routes.list>['rows'][number]

export type LogDetail = z.infer<typeof LogDetail>
export const LogDetail = rowOf(logList.fields).extend({
  reason: z.string().nullable(),
  changes: z.array(
    row({
      table: z.string(),
      rowId: z.string(),
      fields: z.array(row({ name: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
    }),
  ),
  sequence: z.string(),
  hash: z.string(),
})

export const log = {
  ...logList.routes,
  detail: get('/seeker/api/log/detail/{id}', { access: { menu }, params: row({ id }), data: LogDetail }),
}
