import { z } from 'zod'
import { enabledStatus, userType } from '../common.ts'
import { page, PageQuery } from '../kit/page.ts'
import { personal } from '../kit/personal.ts'
import { aboutPerson } from '../kit/privacy.ts'
import { done, get, post } from '../kit/route.ts'
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
    .describe('a request to reset the second factor that waits for another person'),
  lastLoginAt: time.nullable(),
  createdBy: z.string().nullable(),
  createdAt: time,
  updatedAt: time,
})

const menu = menuKey.staff
const module = '员工管理'
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
  list: get('/seeker/api/employee/pageList', {
    access: { menu },
    query: PageQuery.extend({
      keyword: personKeyword.optional().describe('name, login name or phone'),
      organiseId: id.optional(),
      departmentId: id.optional(),
      roleId: id.optional(),
      status: enabledStatus.wire.optional(),
    }),
    data: page(Staff),
  }),
  add: post('/seeker/api/employee/save', {
    access: { menu, action: 'add' },
    audit: { module, does: '新增员工' },
    idempotent: true,
    body: row({
      ...fields,
      organiseId: id.optional(),
      loginName,
      phone,
      roleIds: idList(20).optional(),
    }),
    data: NewWithAccount,
  }),
  edit: post('/seeker/api/employee/update', {
    access: { menu, action: 'edit' },
    audit: { module, does: '编辑员工' },
    body: row({
      id,
      ...fields,
      email: email.optional().describe('left out: unchanged'),
    }),
    data: done,
  }),
  /** The one way to another's phone; their own people change in the personal centre. */
  changePhone: post('/seeker/api/employee/changePhone', {
    access: { menu, action: 'edit', ownHands: true },
    audit: { module, does: '换绑手机' },
    body: PhoneChange,
    data: done,
  }),
  toggle: post('/seeker/api/employee/toggle', {
    access: { menu, action: 'edit' },
    audit: { module, does: '启停员工' },
    body: row({ ids: idList(), status: enabledStatus.wire }),
    data: row({ changed: z.int() }),
  }),
  remove: post('/seeker/api/employee/delete', {
    access: { menu, action: 'delete' },
    audit: { module, does: '删除员工' },
    body: row({ ids: idList() }),
    data: row({ changed: z.int() }),
  }),
  resetPassword: post('/seeker/api/employee/resetPassword', {
    access: { menu, action: 'edit', ownHands: true },
    audit: { module, does: '重置员工密码' },
    body: row({ id }),
    data: FirstPassword,
  }),
  assignRoles: post('/seeker/api/employee/assignRoles', {
    access: { menu, action: 'edit' },
    audit: { module, does: '分配角色' },
    body: row({ id, roleIds: idList(20).optional() }),
    data: done,
  }),
  unlock: post('/seeker/api/employee/unlock', {
    access: { menu, action: 'edit' },
    audit: { module, does: '解锁员工' },
    body: row({ id }),
    data: done,
  }),
  /** A lost second factor is reset by two people; the person binds a new one at the next login. */
  askFactorReset: post('/seeker/api/employee/factorReset/save', {
    access: { menu, action: 'edit', ownHands: true },
    audit: { module, does: '申请重置二次验证' },
    body: row({ id, reason: text(100, '重置原因').min(2, '请填写重置原因') }),
    data: done,
  }),
  approveFactorReset: post('/seeker/api/employee/factorReset/approve', {
    access: { menu, action: 'approve' },
    audit: { module, does: '批准重置二次验证' },
    body: row({ id }),
    data: done,
  }),
  declineFactorReset: post('/seeker/api/employee/factorReset/decline', {
    access: { menu, action: 'edit' },
    audit: { module, does: '撤销重置二次验证' },
    body: row({ id }),
    data: done,
  }),
  /** A link that logs in as this person once, for a person whose rights the caller holds entirely. */
  quickLogin: post('/seeker/api/employee/quickLogin', {
    access: { menu, action: 'edit' },
    audit: { module, does: '生成快捷登录链接' },
    body: row({ id }),
    data: LoginTicket,
  }),
  /** Roles the caller may hand out: none holds a right that the caller lacks. */
  roleOptions: get('/seeker/api/employee/roleOptions', {
    access: { menu },
    query: row({ organiseId: id.optional(), all: flag.optional().describe('for the filter: every visible role') }),
    data: z.array(row({ id: z.string(), name: z.string(), userType: userType.schema })),
  }),
}
