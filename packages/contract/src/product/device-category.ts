import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { type DataOf, get } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { flag, id, keyword, row, text, whole } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { choice, codePart } from './catalogue.ts'

export const categoryLevel = codes({
  big: { code: 1, label: '大类' },
  small: { code: 2, label: '小类' },
})

/** Disabled: not offered for new devices. */
export const categoryUse = codes({
  inUse: { code: 0, label: '启用', tone: 'ok' },
  disabled: { code: 1, label: '停用', tone: 'off' },
})

/** The icon of a category; the console has a picture for each. */
export const categoryIcon = codes({
  car: { code: 'car', label: '汽车' },
  pile: { code: 'pile', label: '充电' },
  socket: { code: 'socket', label: '插座' },
  cabinet: { code: 'cabinet', label: '柜体' },
  washer: { code: 'washer', label: '洗衣' },
  other: { code: 'other', label: '其他' },
})

const menu = menuKey.deviceCategory
const module = '设备大类'
const { change, create, remove } = screenRoutes({ menu, module, platform: true })

export const deviceCategoryList = defineList('/seeker/api/deviceCategory', {
  menu,
  module,
  fields: {
    name: f.shown('名称', { width: 150 }),
    code: f.no('编码', { width: 95 }),
    level: f.code('层级', categoryLevel, { width: 60 }),
    smallCount: f.count('小类数', { width: 65 }),
    typeCount: f.count('类型数', { width: 65 }),
    deviceCount: f.count('设备数', { width: 70, about: 'devices visible to the caller' }),
    disabled: f.flag('状态', { width: 85 }),
    parentName: f.shown('所属大类', { optional: true, width: 140 }),
    sort: f.count('排序', { width: 70 }),
    ...f.audit,
    parentId: f.data(z.string().nullable()),
    icon: f.data(categoryIcon.schema.nullable()),
  },
  filter: {
    own: {
      keyword: { title: '名称/编码', schema: keyword.describe('part of the name, or prefix of the code') },
      parentId: { schema: id.describe('a big category, including its small categories') },
      disabled: { schema: categoryUse.wire },
    },
  },
})
export type DeviceCategory = DataOf<typeof deviceCategoryList.routes.list>['rows'][number]

export type CategoryNode = z.infer<typeof CategoryNode>
const CategoryNode = row({
  ...choice,
  disabled: z.boolean(),
  children: z.array(row({ ...choice, disabled: z.boolean() })),
})

const Category = row({ ...choice, icon: categoryIcon.schema.nullable(), parentId: z.string().nullable() })

const fields = {
  name: text(30, '分类名称'),
  icon: categoryIcon.wire.optional(),
  sort: whole(0, 9999).optional().describe('default: 0'),
}

export const deviceCategory = {
  /** Categories of one level to choose from, in order. */
  bigList: get('/seeker/api/deviceBigCategory/list', {
    access: 'anyone',
    query: row({
      disabled: flag.default(false).describe('true: only disabled categories'),
      level: categoryLevel.wire.default(categoryLevel.code.big),
    }),
    data: z.array(Category),
  }),
  /** Enabled small categories below a big one. */
  smallList: get('/seeker/api/deviceSmallCategory/smallClassList/{code}', {
    access: 'anyone',
    params: row({ code: codePart('大类编码') }),
    data: z.array(Category),
  }),
  /** Both levels including disabled ones, for the tree beside a list. */
  tree: get('/seeker/api/deviceCategory/tree', {
    access: { menu: [menu, menuKey.deviceType] },
    data: z.array(CategoryNode),
  }),
  ...deviceCategoryList.routes,
  add: create('/seeker/api/deviceCategory/save', '新增分类', {
    parentId: id.optional().describe('omit for a big category'),
    code: codePart('编码').describe('own two digits; those of the big category are prepended'),
    ...fields,
  }),
  edit: change('/seeker/api/deviceCategory/update', '编辑分类', { id, ...fields }),
  toggle: change('/seeker/api/deviceCategory/toggle', '启停分类', { id, disabled: flag }),
  remove: remove('/seeker/api/deviceCategory/delete', '删除分类'),
}
