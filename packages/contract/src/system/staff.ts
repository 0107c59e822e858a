import { z } from 'zod'
import { enabledStatus, userType } from '../common.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { personal } from '../kit/personal.ts'
import { aboutPerson } from '../kit/privacy.ts'
import { type DataOf, done, get, post } from '../kit/route.ts'
import { email, flag, id, idList, personKeyword, phone, row, text, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { accountFields, FirstPassword, loginName, LoginTicket, NewWithAccount, PhoneChange } from './accounts.ts'

const menu = menuKey.staff
const module = '员工管理'
type Factor = { hasFactor: boolean; factorReset: object | null }
const { status, phone: phoneField, userType: type, roleNames, lastLoginAt, roles, locked } = accountFields

export const staffList = defineList('/seeker/api/employee', {
  menu,
  module,
  fields: {
    name: f.shown('姓名', { width: 90 }),
    status,
    employeeNo: f.no('工号', { width: 100 }),
    loginName: f.shown('登录账号', { width: 110 }),
    phone: phoneField,
    departmentName: f.shown('部门', { width: 110, optional: true }),
    roleNames: { ...roleNames, width: 130 },
    userType: type,
    factor: f.derived(
      '二次验证',
      ({ hasFactor, factorReset }: Factor) => (factorReset ? '重置待审批' : hasFactor ? '已绑定' : '未绑定'),
      { width: 110 },
    ),
    lastLoginAt,
    organiseName: f.owner.organiseName,
    ...f.audit,
    email: f.data(personal('email').nullable()),
    organiseId: f.ownerIds.organiseId,
    departmentId: f.data(z.string().nullable()),
    roles,
    locked,
    hasFactor: f.data(z.boolean().describe('whether a second factor is bound')),
    factorReset: f.data(
      row({ reason: z.string(), askedBy: z.string(), createdAt: time })
        .nullable()
        .describe('a request to reset the second factor that waits for another person'),
    ),
  },
  filter: {
    own: {
      keyword: { title: '姓名/账号/手机', schema: personKeyword.describe('name, login name or phone') },
      organiseId: { schema: id },
      departmentId: { schema: id },
      roleId: { schema: id },
    },
    exact: ['status'],
  },
})
export type Staff = DataOf<typeof staffList.routes.list>['rows'][number]

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
  ...staffList.routes,
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
