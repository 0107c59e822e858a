import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { page, PageQuery } from '../kit/page.ts'
import { done, get, post } from '../kit/route.ts'
import { flag, id, keyword, row, text, whole } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { byPlatform, choice, codePart, madeBy } from './catalogue.ts'

export const categoryLevel = codes({
  big: { code: 1, label: '大类' },
  small: { code: 2, label: '小类' },
})

/** Disabled: it is offered for nothing new. */
export const categoryUse = codes({
  inUse: { code: 0, label: '使用中', tone: 'ok' },
  disabled: { code: 1, label: '已禁用', tone: 'off' },
})

/** What a category looks like; the console has a picture for each of them. */
export const categoryIcon = codes({
  car: { code: 'car', label: '汽车' },
  pile: { code: 'pile', label: '充电' },
  socket: { code: 'socket', label: '插座' },
  cabinet: { code: 'cabinet', label: '柜体' },
  washer: { code: 'washer', label: '洗衣' },
  other: { code: 'other', label: '其他' },
})

export type DeviceCategory = z.infer<typeof DeviceCategory>
export const DeviceCategory = row({
  id: z.string(),
  parentId: z.string().nullable(),
  parentName: z.string().nullable(),
  level: categoryLevel.schema,
  code: z.string(),
  name: z.string(),
  icon: categoryIcon.schema.nullable(),
  sort: z.int(),
  disabled: z.boolean(),
  smallCount: z.int(),
  typeCount: z.int(),
  deviceCount: z.int().describe('of those the caller sees'),
  ...madeBy,
})

export type CategoryNode = z.infer<typeof CategoryNode>
const CategoryNode = row({
  ...choice,
  disabled: z.boolean(),
  children: z.array(row({ ...choice, disabled: z.boolean() })),
})

const Category = row({ ...choice, icon: categoryIcon.schema.nullable(), parentId: z.string().nullable() })

const menu = menuKey.deviceCategory
const module = '设备大类'
const fields = {
  name: text(30, '分类名称'),
  icon: categoryIcon.wire.optional(),
  sort: whole(0, 9999).optional().describe('left out: 0'),
}

export const deviceCategory = {
  /** Categories of one level to choose from, in their order. */
  bigList: get('/seeker/api/deviceBigCategory/list', {
    access: 'anyone',
    query: row({
      disabled: flag.default(false).describe('true: those that are disabled'),
      level: categoryLevel.wire.default(categoryLevel.code.big),
    }),
    data: z.array(Category),
  }),
  /** The small categories in use below a big one. */
  smallList: get('/seeker/api/deviceSmallCategory/smallClassList/{code}', {
    access: 'anyone',
    params: row({ code: codePart('大类编码') }),
    data: z.array(Category),
  }),
  /** Both levels with the disabled ones, for the tree beside a list. */
  tree: get('/seeker/api/deviceCategory/tree', {
    access: { menu: [menu, menuKey.deviceType] },
    data: z.array(CategoryNode),
  }),
  list: get('/seeker/api/deviceCategory/pageList', {
    access: { menu },
    query: PageQuery.extend({
      keyword: keyword.optional().describe('a part of the name, or how the code begins'),
      parentId: id.optional().describe('a big category: itself and what is below it'),
      disabled: categoryUse.wire.optional(),
    }),
    data: page(DeviceCategory),
  }),
  add: post('/seeker/api/deviceCategory/save', {
    access: byPlatform(menu, 'add'),
    audit: { module, does: '新增分类' },
    idempotent: true,
    body: row({
      parentId: id.optional().describe('left out: a big category'),
      code: codePart('编码').describe('its own two digits; those of the big category are put before'),
      ...fields,
    }),
    data: row({ id: z.string() }),
  }),
  edit: post('/seeker/api/deviceCategory/update', {
    access: byPlatform(menu, 'edit'),
    audit: { module, does: '编辑分类' },
    body: row({ id, ...fields }),
    data: done,
  }),
  toggle: post('/seeker/api/deviceCategory/toggle', {
    access: byPlatform(menu, 'edit'),
    audit: { module, does: '启停分类' },
    body: row({ id, disabled: flag }),
    data: done,
  }),
  remove: post('/seeker/api/deviceCategory/delete', {
    access: byPlatform(menu, 'delete'),
    audit: { module, does: '删除分类' },
    body: row({ id }),
    data: done,
  }),
}
