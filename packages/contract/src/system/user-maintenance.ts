import { z } from 'zod'
import { enabledStatus, userType } from '../common.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { aboutPerson } from '../kit/privacy.ts'
import type { DataOf } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { id, idList, personKeyword, phone, row, text } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { FirstPassword, loginName, NewWithAccount, PhoneChange } from './accounts.ts'
import { ownerIds } from './ownership.ts'

const menu = menuKey.userMaintenance
const module = '用户维护'
const { read, change, changeMany } = screenRoutes({ menu, module })
type Roles = { roles: readonly { name: string }[] }

/** Login accounts by user type and owner. */
export const accountList = defineList('/seeker/api/userMaintenance', {
  menu,
  module,
  fields: {
    loginName: f.no('登录账号', { width: 150 }),
    status: f.code('状态', enabledStatus, { width: 80 }),
    name: f.shown('姓名', { width: 100 }),
    phone: f.phone('手机号', { width: 150, optional: false }),
    userType: f.code('用户类型', userType, { width: 90 }),
    ...f.owner,
    roleNames: f.derived('角色', ({ roles }: Roles) => roles.map(({ name }) => name).join('、'), { width: 140 }),
    lastLoginAt: f.time('最近登录', { width: 110, optional: true }),
    ...f.audit,
    ...f.ownerIds,
    roles: f.data(z.array(row({ id: z.string(), name: z.string() }))),
    locked: f.data(z.boolean()),
  },
  decided: [
    ['loginName', 'name'],
    ['status', 'userType'],
    ['phone'],
    ['organiseName', 'agentName'],
    ['siteName'],
    ['roleNames'],
    ['lastLoginAt'],
  ],
  filter: {
    own: {
      keyword: { title: '账号/姓名', schema: personKeyword.describe('part of the login name or of the name') },
      phone: { title: '手机号', schema: personKeyword.describe('complete phone number') },
    },
    exact: ['userType', 'status'],
    owner: ['organise', 'agent', 'site'],
    order: ['keyword', 'phone', 'userType', 'owner', 'status'],
  },
})
export type Account = DataOf<typeof accountList.routes.list>['rows'][number]

const fields = {
  name: aboutPerson(text(30, '姓名')),
  roleIds: idList(20).optional().describe('roles of the user type; none if omitted'),
}

/** All routes concern other users. The own account is managed in the personal centre. */
export const userMaintenance = {
  ...accountList.routes,
  /** Type 1 belongs to an organisation, 2 to an agent, 3 to a site, 4 to an organisation or an agent. */
  add: change(
    '/seeker/api/userMaintenance/save',
    '新增用户',
    { userType: userType.wire, ...ownerIds, loginName, phone, ...fields },
    { action: 'add', idempotent: true, data: NewWithAccount },
  ),
  edit: change('/seeker/api/userMaintenance/update', '编辑用户', { id, ...fields }),
  toggle: changeMany('/seeker/api/userMaintenance/toggle', '启停用户', { status: enabledStatus.wire }),
  remove: changeMany('/seeker/api/userMaintenance/delete', '删除用户', {}, 'delete'),
  resetPassword: change(
    '/seeker/api/userMaintenance/resetPassword',
    '重置用户密码',
    { id },
    { ownHands: true, data: FirstPassword },
  ),
  /** For a user who can no longer receive messages on the old phone. */
  changePhone: change('/seeker/api/userMaintenance/changePhone', '换绑手机', PhoneChange.shape, { ownHands: true }),
  /** Roles of a user type that the caller may assign: none has a right that the caller lacks. */
  roleOptions: read('/seeker/api/userMaintenance/roleOptions', {
    query: row({ organiseId: id.optional(), userType: userType.wire }),
    data: z.array(row({ id: z.string(), name: z.string() })),
  }),
}
