import { z } from 'zod'
import { enabledStatus, userType } from '../common.ts'
import { page, PageQuery } from '../kit/page.ts'
import { personal } from '../kit/personal.ts'
import { aboutPerson } from '../kit/privacy.ts'
import { done, get, post } from '../kit/route.ts'
import { id, idList, personKeyword, phone, row, text, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { FirstPassword, loginName, NewWithAccount, PhoneChange } from './accounts.ts'
import { ownerIds, ownerNames } from './ownership.ts'

/** The account of somebody who logs in, seen by its type and by whom it belongs to. */
export type Account = z.infer<typeof Account>
export const Account = row({
  id: z.string(),
  loginName: z.string(),
  name: z.string(),
  phone: personal('phone'),
  userType: userType.schema,
  organiseId: z.string(),
  agentId: z.string().nullable(),
  siteId: z.string().nullable(),
  ...ownerNames,
  roles: z.array(row({ id: z.string(), name: z.string() })),
  status: enabledStatus.schema,
  locked: z.boolean(),
  lastLoginAt: time.nullable(),
  createdBy: z.string().nullable(),
  createdAt: time,
  updatedAt: time,
})

const menu = menuKey.userMaintenance
const module = '用户维护'
const fields = {
  name: aboutPerson(text(30, '姓名')),
  roleIds: idList(20).optional().describe('of the user type; left out: none'),
}

/** Everything here is done to others. One's own account is looked after in the personal centre. */
export const userMaintenance = {
  list: get('/seeker/api/userMaintenance/pageList', {
    access: { menu },
    query: PageQuery.extend({
      keyword: personKeyword.optional().describe('part of the login name or of the name'),
      phone: personKeyword.optional().describe('the whole phone'),
      userType: userType.wire.optional(),
      ...ownerIds,
      status: enabledStatus.wire.optional(),
    }),
    data: page(Account),
  }),
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
