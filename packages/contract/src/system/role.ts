import { z } from 'zod'
import { actionKind, enabledStatus, userType } from '../common.ts'
import { f, formOf } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { page, PageQuery } from '../kit/page.ts'
import type { DataOf } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { flag, id, idList, keyword, row } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { MenuNode } from '../auth/menu-node.ts'
import { ownerIds } from './ownership.ts'

/** The rights that can be granted, and the granted ones. */
export type Privilege = z.infer<typeof Privilege>
export const Privilege = row({
  menus: z.array(MenuNode),
  resources: z.array(row({ id: z.string(), menuId: z.string(), name: z.string(), action: actionKind.schema })),
  grantedMenuIds: z.array(z.string()),
  grantedResourceIds: z.array(z.string()),
  canUnmask: z.boolean(),
  mayGrantUnmask: z.boolean(),
})
/** The rights to be granted. */
export const privilegeFields = { menuIds: idList().optional(), resourceIds: idList(2000).optional(), canUnmask: flag }

const menu = menuKey.role
const module = '角色管理'
const { read, change, create, remove } = screenRoutes({ menu, module })

export const roleList = defineList('/seeker/api/role', {
  menu,
  module,
  fields: {
    name: f.text('角色名称', 30, { width: 140 }),
    status: f.code('状态', enabledStatus, { width: 80 }),
    organiseName: f.owner.organiseName,
    code: f.id(
      '角色编码',
      z
        .string()
        .max(30)
        .regex(/^[A-Z][A-Z\d_]*$/, '角色编码须为大写字母、数字或下划线'),
      { width: 140 },
    ),
    auditOnly: f.flag('角色性质', {
      width: 100,
      about: 'its holders can only read and export, and hold no other kind of role',
    }),
    topLevel: f.count('层级', { width: 70 }),
    userType: f.code('用户类型', userType, { width: 100 }),
    userCount: f.count('用户数', { width: 80 }),
    dataScope: f.shown('数据范围', { width: 130, about: 'data visible to its holders, derived from the user type' }),
    canUnmask: f.flag('查看明文', { width: 100, hidden: true }),
    agentName: f.owner.agentName,
    siteName: f.owner.siteName,
    ...f.audit,
    organiseId: f.ownerIds.organiseId,
    siteId: f.ownerIds.siteId,
  },
  decided: [
    ['name', 'code'],
    ['status', 'auditOnly'],
    ['organiseName', 'agentName'],
    ['userType', 'dataScope'],
    ['userCount', 'topLevel'],
  ],
  filter: {
    own: { name: { title: '角色名称', schema: keyword }, code: { title: '角色编码', schema: keyword } },
    exact: ['status'],
    owner: ['organise', 'agent', 'site'],
  },
})
export type Role = DataOf<typeof roleList.routes.list>['rows'][number]

const fields = formOf(roleList.fields, ['name', 'code'])

export const role = {
  ...roleList.routes,
  /** The menus and resources the caller may grant, and those the role has. */
  privilege: read('/seeker/api/menu/tree/rolePrivilege/{roleId}', {
    params: row({ roleId: id }),
    data: Privilege,
  }),
  savePrivilege: change('/seeker/api/role/savePrivilege', '配置角色权限', { roleId: id, ...privilegeFields }),
  add: create('/seeker/api/role/save', '新增角色', {
    ...fields,
    ...ownerIds,
    userType: userType.wire,
    auditOnly: flag.optional(),
  }),
  edit: change('/seeker/api/role/update', '编辑角色', { id, ...fields }),
  copy: create('/seeker/api/role/copy', '复制角色', { id, ...fields }),
  toggle: change('/seeker/api/role/toggle', '启停角色', { id, status: enabledStatus.wire }),
  remove: remove('/seeker/api/role/delete', '删除角色'),
  members: read('/seeker/api/role/members/{roleId}', {
    params: row({ roleId: id }),
    query: PageQuery,
    data: page(
      row({
        id: z.string(),
        name: z.string(),
        loginName: z.string(),
        departmentName: z.string().nullable(),
        status: enabledStatus.schema,
      }),
    ),
  }),
}
