import { z } from 'zod'
import { actionKind, enabledStatus, userType } from '../common.ts'
import { f, formOf } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { page, PageQuery } from '../kit/page.ts'
import { type DataOf, done, get, post } from '../kit/route.ts'
import { flag, id, idList, keyword, row } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { MenuNode } from '../auth/menu-node.ts'
import { ownerIds } from './ownership.ts'

/** What can be granted, and which of it is. */
export type Privilege = z.infer<typeof Privilege>
export const Privilege = row({
  menus: z.array(MenuNode),
  resources: z.array(row({ id: z.string(), menuId: z.string(), name: z.string(), action: actionKind.schema })),
  grantedMenuIds: z.array(z.string()),
  grantedResourceIds: z.array(z.string()),
  canUnmask: z.boolean(),
  mayGrantUnmask: z.boolean(),
})
/** And what is to be. */
export const privilegeFields = { menuIds: idList().optional(), resourceIds: idList(2000).optional(), canUnmask: flag }

const menu = menuKey.role
const module = '角色管理'

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
      about: 'its holders read and export, and hold no other kind of role',
    }),
    topLevel: f.count('层级', { width: 70 }),
    userType: f.code('用户类型', userType, { width: 100 }),
    userCount: f.count('用户数', { width: 80 }),
    dataScope: f.shown('数据范围', { width: 130, about: 'derived from the user type: what its holders see' }),
    canUnmask: f.flag('查看明文', { width: 100, hidden: true }),
    agentName: f.owner.agentName,
    siteName: f.owner.siteName,
    ...f.audit,
    organiseId: f.ownerIds.organiseId,
  },
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
  /** The menus and resources the caller may grant, and which of them the role has. */
  privilege: get('/seeker/api/menu/tree/rolePrivilege/{roleId}', {
    access: { menu },
    params: row({ roleId: id }),
    data: Privilege,
  }),
  savePrivilege: post('/seeker/api/role/savePrivilege', {
    access: { menu, action: 'edit' },
    audit: { module, does: '配置角色权限' },
    body: row({ roleId: id, ...privilegeFields }),
    data: done,
  }),
  add: post('/seeker/api/role/save', {
    access: { menu, action: 'add' },
    audit: { module, does: '新增角色' },
    idempotent: true,
    body: row({ ...fields, ...ownerIds, userType: userType.wire, auditOnly: flag.optional() }),
    data: row({ id: z.string() }),
  }),
  edit: post('/seeker/api/role/update', {
    access: { menu, action: 'edit' },
    audit: { module, does: '编辑角色' },
    body: row({ id, ...fields }),
    data: done,
  }),
  copy: post('/seeker/api/role/copy', {
    access: { menu, action: 'add' },
    audit: { module, does: '复制角色' },
    idempotent: true,
    body: row({ id, ...fields }),
    data: row({ id: z.string() }),
  }),
  toggle: post('/seeker/api/role/toggle', {
    access: { menu, action: 'edit' },
    audit: { module, does: '启停角色' },
    body: row({ id, status: enabledStatus.wire }),
    data: done,
  }),
  remove: post('/seeker/api/role/delete', {
    access: { menu, action: 'delete' },
    audit: { module, does: '删除角色' },
    body: row({ id }),
    data: done,
  }),
  members: get('/seeker/api/role/members/{roleId}', {
    access: { menu },
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
