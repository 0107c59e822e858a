import { z } from 'zod'
import { enabledStatus, userType } from '../common.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { aboutPerson } from '../kit/privacy.ts'
import { type DataOf, done, get, post } from '../kit/route.ts'
import { id, idList, personKeyword, phone, row, text } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { FirstPassword, loginName, NewWithAccount, PhoneChange } from './accounts.ts'
import { ownerIds } from './ownership.ts'

const menu = menuKey.userMaintenance
const module = '用户维护'
type Roles = { roles: readonly { name: string }[] }

/** The accounts of people who log in, seen by their type and by whom they belong to. */
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
  filter: {
    own: {
      keyword: { title: '账号/姓名', schema: personKeyword.describe('part of the login name or of the name') },
      phone: { title: '完整手机号', schema: personKeyword.describe('the whole phone') },
    },
    exact: ['userType', 'status'],
    owner: ['organise', 'agent', 'site'],
    order: ['keyword', 'phone', 'userType', 'owner', 'status'],
  },
})
export type Account = DataOf<typeof accountList.routes.list>['rows'][number]

const fields = {
  name: aboutPerson(text(30, '姓名')),
  roleIds: idList(20).optional().describe('of the user type; left out: none'),
}

/** Everything here is done to others. One's own account is looked after in the personal centre. */
export const userMaintenance = {
  ...accountList.routes,
  /** Type 1 belongs to an organisation, 2 to an agent, 3 to a site, 4 to an organisation or an agent. */
  add: post('/seeker/api/userMaintenance/save', {
    access: { menu, action: 'add' },
    audit: { module, does: '新增用户' },
    idempotent: true,
    body: row({ userType: userType.wire, ...ownerIds, loginName, phone, ...fields }),
    data: NewWithAccount,
  }),
  edit: post('/seeker/api/userMaintenance/update', {
    access: { menu, action: 'edit' },
    audit: { module, does: '编辑用户' },
    body: row({ id, ...fields }),
    data: done,
  }),
  toggle: post('/seeker/api/userMaintenance/toggle', {
    access: { menu, action: 'edit' },
    audit: { module, does: '启停用户' },
    body: row({ ids: idList(), status: enabledStatus.wire }),
    data: row({ changed: z.int() }),
  }),
  remove: post('/seeker/api/userMaintenance/delete', {
    access: { menu, action: 'delete' },
    audit: { module, does: '删除用户' },
    body: row({ ids: idList() }),
    data: row({ changed: z.int() }),
  }),
  resetPassword: post('/seeker/api/userMaintenance/resetPassword', {
    access: { menu, action: 'edit', ownHands: true },
    audit: { module, does: '重置用户密码' },
    body: row({ id }),
    data: FirstPassword,
  }),
  /** For somebody who can no longer receive messages on the old one. */
  changePhone: post('/seeker/api/userMaintenance/changePhone', {
    access: { menu, action: 'edit', ownHands: true },
    audit: { module, does: '换绑手机' },
    body: PhoneChange,
    data: done,
  }),
  /** Roles of a user type that the caller may hand out: none holds a right that the caller lacks. */
  roleOptions: get('/seeker/api/userMaintenance/roleOptions', {
    access: { menu },
    query: row({ organiseId: id.optional(), userType: userType.wire }),
    data: z.array(row({ id: z.string(), name: z.string() })),
  }),
}
