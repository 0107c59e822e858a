import { z } from 'zod'
import { enabledStatus, userType } from '../common.ts'
import { page, PageQuery } from '../kit/page.ts'
import { personal } from '../kit/personal.ts'
import { aboutPerson } from '../kit/privacy.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { email, flag, id, idList, personKeyword, phone, row, text, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { FirstPassword, loginName, LoginTicket, NewWithAccount, PhoneChange } from './accounts.ts'

export type Staff = z.infer<typeof Staff>
export const Staff = row({
  id: z.string(),
  employeeNo: z.string(),
  name: z.string(),
  loginName: z.string(),
  phone: personal('phone'),
  email: personal('email').nullable(),
  organiseId: z.string(),
  organiseName: z.string(),
  departmentId: z.string().nullable(),
  departmentName: z.string().nullable(),
  roles: z.array(row({ id: z.string(), name: z.string() })),
  userType: userType.schema,
  status: enabledStatus.schema,
  locked: z.boolean(),
  hasFactor: z.boolean().describe('whether a second factor is bound'),
  factorReset: row({ reason: z.string(), askedBy: z.string(), createdAt: time })
    .nullable()
    .describe('a request to reset the second factor that waits for another user'),
  lastLoginAt: time.nullable(),
  createdBy: z.string().nullable(),
  createdAt: time,
  updatedAt: time,
})

const menu = menuKey.staff
const module = '员工管理'
const { read, change, changeMany, approve } = screenRoutes({ menu, module })
const fields = {
  employeeNo: z
    .string()
    .max(20)
    .regex(/^[\w-]+$/, '请输入正确的工号'),
  name: aboutPerson(text(30, '姓名')),
  email: email.optional(),
  departmentId: id.optional(),
}

export const staff = {
  list: read('/seeker/api/employee/pageList', {
    query: PageQuery.extend({
      keyword: personKeyword.optional().describe('name, login name or phone'),
      organiseId: id.optional(),
      departmentId: id.optional(),
      roleId: id.optional(),
      staffId: id.optional().describe('a single user, for links'),
      status: enabledStatus.wire.optional(),
    }),
    data: page(Staff),
  }),
  add: change(
    '/seeker/api/employee/save',
    '新增员工',
    {
      ...fields,
      organiseId: id.optional(),
      loginName,
      phone,
      roleIds: idList(20).optional(),
    },
    { action: 'add', idempotent: true, data: NewWithAccount },
  ),
  edit: change('/seeker/api/employee/update', '编辑员工', {
    id,
    ...fields,
    email: email.optional().describe('unchanged if omitted'),
  }),
  /** The only way to change another user's phone; users change their own in the personal centre. */
  changePhone: change('/seeker/api/employee/changePhone', '换绑手机', PhoneChange.shape, { ownHands: true }),
  toggle: changeMany('/seeker/api/employee/toggle', '启停员工', { status: enabledStatus.wire }),
  remove: changeMany('/seeker/api/employee/delete', '删除员工', {}, 'delete'),
  resetPassword: change(
    '/seeker/api/employee/resetPassword',
    '重置员工密码',
    { id },
    { ownHands: true, data: FirstPassword },
  ),
  assignRoles: change('/seeker/api/employee/assignRoles', '分配角色', { id, roleIds: idList(20).optional() }),
  unlock: change('/seeker/api/employee/unlock', '解锁员工', { id }),
  /** Two people reset a lost second factor; the user binds a new one at the next login. */
  askFactorReset: change(
    '/seeker/api/employee/factorReset/save',
    '申请重置二次验证',
    { id, reason: text(100, '重置原因').min(2, '请填写重置原因') },
    { ownHands: true },
  ),
  approveFactorReset: approve('/seeker/api/employee/factorReset/approve', '通过重置二次验证', { id }),
  declineFactorReset: change('/seeker/api/employee/factorReset/decline', '撤销重置二次验证', { id }),
  /** A one-time login link for this user; the caller must hold all rights of the user. */
  quickLogin: change('/seeker/api/employee/quickLogin', '生成快捷登录链接', { id }, { data: LoginTicket }),
  /** Roles the caller may assign: none has a right that the caller lacks. */
  roleOptions: read('/seeker/api/employee/roleOptions', {
    query: row({ organiseId: id.optional(), all: flag.optional().describe('for the filter: every visible role') }),
    data: z.array(row({ id: z.string(), name: z.string(), userType: userType.schema })),
  }),
}
