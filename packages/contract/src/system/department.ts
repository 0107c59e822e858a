import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { f, formOf } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { aboutPerson } from '../kit/privacy.ts'
import type { DataOf } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { id, idList, keyword, text } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { departmentTree } from './department-tree.ts'

export const departmentType = codes({
  baseService: { code: 1, label: '基础服务' },
  simService: { code: 2, label: 'SIM服务' },
  platform: { code: 3, label: '平台' },
  openPlatform: { code: 4, label: '开放平台' },
})

const menu = menuKey.department
const module = '部门管理'
const { change, create, remove } = screenRoutes({ menu, module })

export const departmentList = defineList('/seeker/api/department', {
  menu,
  module,
  fields: {
    name: f.text('部门名称', 40, { width: 130 }),
    organiseName: f.owner.organiseName,
    code: f.id(
      '部门编码',
      z
        .string()
        .max(30)
        .regex(/^[\w-]+$/, '请输入正确的部门编码'),
      { width: 110 },
    ),
    parentName: f.shown('上级部门', { width: 110, optional: true }),
    type: f.code('类型', departmentType, { width: 90 }),
    leader: f.shown('负责人', { width: 80, optional: true }),
    phone: f.phone('电话', { width: 120 }),
    staffCount: f.count('人数', { width: 60 }),
    menus: f.derived(
      '菜单上限',
      ({ menuIds }: { menuIds: readonly string[] }) => (menuIds.length === 0 ? '不限制' : `${menuIds.length} 个菜单`),
      { width: 110 },
    ),
    ...f.audit,
    organiseId: f.ownerIds.organiseId,
    parentId: f.data(z.string().nullable()),
    menuIds: f.data(z.array(z.string())),
  },
  decided: [['name', 'code'], ['organiseName', 'parentName'], ['type'], ['leader', 'phone'], ['staffCount', 'menus']],
  filter: {
    own: { name: { title: '部门名称', schema: keyword }, organiseId: { schema: id }, parentId: { schema: id } },
    exact: ['type'],
  },
})
export type Department = DataOf<typeof departmentList.routes.list>['rows'][number]

const fields = {
  ...formOf(departmentList.fields, ['name', 'code', 'type', 'phone']),
  leader: aboutPerson(text(30, '负责人')).optional(),
}

export const department = {
  tree: departmentTree,
  list: departmentList.routes.list,
  add: create('/seeker/api/department/save', '新增部门', {
    organiseId: id.optional(),
    parentId: id.optional(),
    ...fields,
  }),
  edit: change('/seeker/api/department/update', '编辑部门', { id, parentId: id.optional(), ...fields }),
  remove: remove('/seeker/api/department/delete', '删除部门'),
  /** The menus of a department limit its staff and its child departments; none means no limit. */
  saveMenus: change('/seeker/api/departmentMenu/save', '分配部门菜单', {
    departmentId: id,
    menuIds: idList().optional(),
  }),
}
