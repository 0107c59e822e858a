import { z } from 'zod'
import { actionKind, enabledStatus, userType } from '../common.ts'
import { page, PageQuery } from '../kit/page.ts'
import { done, get, post } from '../kit/route.ts'
import { flag, id, idList, keyword, row, text, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { MenuNode } from '../auth/menu-node.ts'
import { ownerIds, ownerNames } from './ownership.ts'

export type Role = z.infer<typeof Role>
export const Role = row({
  id: z.string(),
  organiseId: z.string(),
  ...ownerNames,
  name: z.string(),
  code: z.string(),
  topLevel: z.int(),
  userType: userType.schema,
  userCount: z.int(),
  dataScope: z.string().describe('derived from the user type: what its holders see'),
  status: enabledStatus.schema,
  auditOnly: z.boolean().describe('its holders read and export, and hold no other kind of role'),
  canUnmask: z.boolean(),
  createdBy: z.string().nullable(),
  createdAt: time,
  updatedAt: time,
})

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
const fields = {
  name: text(30, '角色名称'),
  code: z
    .string()
    .max(30)
    .regex(/^[A-Z][A-Z\d_]*$/, '角色编码须为大写字母、数字或下划线'),
}

export const role = {
  list: get('/seeker/api/role/pageList', {
    access: { menu },
    query: PageQuery.extend({
      name: keyword.optional(),
      code: keyword.optional(),
      ...ownerIds,
      status: enabledStatus.wire.optional(),
    }),
    data: page(Role),
  }),
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
