import { z } from 'zod'
import { actionKinds } from '../common.ts'
import { exportList } from '../kit/bulk.ts'
import { codes } from '../kit/codes.ts'
import { page, PageQuery } from '../kit/page.ts'
import { get } from '../kit/route.ts'
import { date, id, keyword, personKeyword, row, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'

export const logResult = codes({
  success: { code: 1, label: '成功', tone: 'ok' },
  failure: { code: 0, label: '失败', tone: 'bad' },
})

/** What a logged action is: the action kind of its route, or a login, or something a person did to their own account. */
export const logKind = codes({
  ...actionKinds,
  login: { code: 'login', label: '登录' },
  own: { code: 'own', label: '个人操作' },
})

const columns = {
  id: z.string(),
  at: time,
  userName: z.string().nullable(),
  loginName: z.string().nullable(),
  organiseName: z.string().nullable(),
  module: z.string(),
  kind: logKind.schema,
  content: z.string(),
  path: z.string(),
  ip: z.string().nullable(),
  place: z.string().describe('where the address belongs: this machine, a private network, or the public one'),
  durationMs: z.int(),
  result: logResult.schema,
  traceId: z.string(),
}
export type LogEntry = z.infer<typeof LogEntry>
export const LogEntry = row(columns)

export type LogDetail = z.infer<typeof LogDetail>
export const LogDetail = row({
  ...columns,
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

/** What a file of the log holds. */
export const logColumns = {
  at: '操作时间',
  userName: '操作人',
  loginName: '账号',
  organiseName: '所属机构',
  module: '模块',
  kind: '操作类型',
  content: '操作内容',
  result: '结果',
  ip: 'IP',
  place: '归属地',
  durationMs: '耗时(ms)',
  path: '请求地址',
  traceId: '追踪号',
} as const

const menu = menuKey.log

export const log = {
  list: get('/seeker/api/log/pageList', {
    access: { menu },
    query: PageQuery.extend({
      operator: personKeyword.optional().describe('name or login name'),
      organiseId: id.optional(),
      module: keyword.optional(),
      kind: logKind.wire.optional(),
      result: logResult.wire.optional(),
      from: date.optional(),
      to: date.optional(),
    }),
    data: page(LogEntry),
  }),
  exportList: exportList('/seeker/api/log/export', { menu, module: '日志管理' }),
  detail: get('/seeker/api/log/detail/{id}', { access: { menu }, params: row({ id }), data: LogDetail }),
}
