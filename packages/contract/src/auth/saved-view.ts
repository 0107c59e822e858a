import { z } from 'zod'
import { done, get, post } from '../kit/route.ts'
import { flag, id, idList, row, text } from '../kit/wire.ts'

export const viewsMax = 20

export type SavedView = z.infer<typeof SavedView>
export const SavedView = row({
  id: z.string(),
  name: z.string(),
  query: z.string().describe('filter as in the URL query of the list'),
  shared: z.boolean(),
  isDefault: z.boolean().describe('the list opens with this view for its maker'),
  own: z.boolean(),
  maker: z.string(),
  mayRemove: z.boolean(),
})

/** A list is identified by the path of its route, so the server can validate a filter by the schema of the list. */
const listKey = z
  .string()
  .max(120)
  .regex(/^\/(seeker|order|wechat)\/api\/[\w/{}-]+$/, '列表不存在')
const query = z
  .string()
  .max(1000, '筛选条件过长')
  .regex(/^[\w%+.*&=~-]+$/, '筛选条件不正确')
const name = text(20, '视图名称')
const module = '列表视图'

export const savedView = {
  list: get('/seeker/api/savedView/list', {
    access: 'anyone',
    query: row({ listKey }),
    data: row({ views: z.array(SavedView), mayShare: z.boolean() }),
  }),
  save: post('/seeker/api/savedView/save', {
    access: 'anyone',
    audit: { module, does: '保存视图' },
    idempotent: true,
    body: row({ listKey, name, query, shared: flag.optional(), isDefault: flag.optional() }),
    data: row({ id: z.string() }),
  }),
  edit: post('/seeker/api/savedView/update', {
    access: 'anyone',
    audit: { module, does: '编辑视图' },
    body: row({
      id,
      name: name.optional().describe('omitted fields stay unchanged'),
      query: query.optional(),
      shared: flag.optional(),
      isDefault: flag.optional(),
    }),
    data: done,
  }),
  order: post('/seeker/api/savedView/order', {
    access: 'anyone',
    audit: { module, does: '调整视图顺序' },
    body: row({ listKey, ids: idList(viewsMax) }),
    data: done,
  }),
  remove: post('/seeker/api/savedView/delete', {
    access: 'anyone',
    audit: { module, does: '删除视图' },
    body: row({ id }),
    data: done,
  }),
}
