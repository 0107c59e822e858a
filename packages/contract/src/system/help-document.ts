import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { done, get, post } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { flag, id, keyword, lines, row, text, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'

export const helpDocumentType = codes({
  station: { code: 1, label: '站点手册' },
  platform: { code: 2, label: '平台手册' },
  faultCodes: { code: 3, label: '故障代码' },
})

export const helpDocumentStatus = codes({
  draft: { code: 0, label: '草稿', tone: 'off' },
  published: { code: 1, label: '已发布', tone: 'ok' },
})

const entry = {
  id: z.string(),
  type: helpDocumentType.schema,
  title: z.string(),
  screen: z.string().nullable().describe('screen that the document is for'),
  status: helpDocumentStatus.schema,
  updatedAt: time,
}
export type HelpDocumentEntry = z.infer<typeof HelpDocumentEntry>
export const HelpDocumentEntry = row({
  ...entry,
  excerpt: z.string().nullable().describe('text around the keyword'),
})

export type HelpDocument = z.infer<typeof HelpDocument>
export const HelpDocument = row({
  ...entry,
  body: z.string().describe('Markdown'),
  helpful: z.boolean().nullable().describe('rating by the caller'),
  opinions: row({ helpful: z.int(), notHelpful: z.int() }).nullable().describe('only for users who may edit'),
})

const menu = menuKey.helpDocument
const module = '帮助文档'
const { change, create, remove } = screenRoutes({ menu, module })
const screenName = z.string().regex(/^[A-Za-z][\w.-]{0,39}$/, '请选择正确的适用页面')
const fields = {
  type: helpDocumentType.wire,
  title: text(60, '标题'),
  body: lines(20_000, '正文'),
  screen: screenName.optional(),
}

/** Every user reads published documents. Drafts and changes are for platform administrators. */
export const helpDocument = {
  list: get('/seeker/api/helpDocument/list', {
    access: 'anyone',
    query: row({
      keyword: keyword.optional().describe('searches title and text'),
      type: helpDocumentType.wire.optional(),
      screen: screenName.optional(),
    }),
    data: z.array(HelpDocumentEntry),
  }),
  detail: get('/seeker/api/helpDocument/detail/{id}', {
    access: 'anyone',
    params: row({ id }),
    data: HelpDocument,
  }),
  feedback: post('/seeker/api/helpDocument/feedback', {
    access: 'anyone',
    audit: 'none',
    body: row({ id, helpful: flag }),
    data: done,
  }),
  add: create('/seeker/api/helpDocument/save', '新增帮助文档', fields),
  edit: change('/seeker/api/helpDocument/update', '编辑帮助文档', { id, ...fields }),
  toggle: change('/seeker/api/helpDocument/toggle', '发布或下线帮助文档', { id, status: helpDocumentStatus.wire }),
  move: change('/seeker/api/helpDocument/move', '调整帮助文档顺序', { id, direction: z.enum(['up', 'down']) }),
  remove: remove('/seeker/api/helpDocument/delete', '删除帮助文档'),
}
