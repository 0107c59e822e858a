import { z } from 'zod'
import { actionKind, enabledStatus } from '../common.ts'
import { page, PageQuery } from '../kit/page.ts'
import { done, get, post } from '../kit/route.ts'
import { id, keyword, row, text, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'

export type Resource = z.infer<typeof Resource>
export const Resource = row({
  id: z.string(),
  name: z.string(),
  code: z.string(),
  menuId: z.string(),
  menuKey: z.string(),
  menuTitle: z.string(),
  action: actionKind.schema,
  path: z.string(),
  method: z.enum(['GET', 'POST']),
  status: enabledStatus.schema,
  createdAt: time,
  updatedAt: time,
})

const menu = menuKey.resource
const module = '资源管理'
const fields = {
  name: text(40, '资源名称'),
  action: actionKind.wire,
  path: z
    .string()
    .max(200)
    .regex(/^\/[\w/{}.-]+$/, '请输入正确的接口地址'),
  method: z.enum(['GET', 'POST']),
}

export const resource = {
  list: get('/seeker/api/resource/pageList', {
    access: { menu },
    query: PageQuery.extend({ menuId: id.optional(), action: actionKind.wire.optional(), name: keyword.optional() }),
    data: page(Resource),
  }),
  add: post('/seeker/api/resource/save', {
    access: { menu, action: 'add' },
    audit: { module, does: '新增资源' },
    idempotent: true,
    body: row({
      menuId: id,
      code: z
        .string()
        .max(60)
        .regex(/^[\w:.-]+$/, '请输入正确的资源编码'),
      ...fields,
    }),
    data: row({ id: z.string() }),
  }),
  edit: post('/seeker/api/resource/update', {
    access: { menu, action: 'edit' },
    audit: { module, does: '编辑资源' },
    body: row({ id, ...fields }),
    data: done,
  }),
  toggle: post('/seeker/api/resource/toggle', {
    access: { menu, action: 'edit' },
    audit: { module, does: '启停资源' },
    body: row({ id, status: enabledStatus.wire }),
    data: done,
  }),
  remove: post('/seeker/api/resource/delete', {
    access: { menu, action: 'delete' },
    audit: { module, does: '删除资源' },
    body: row({ id }),
    data: done,
  }),
}
