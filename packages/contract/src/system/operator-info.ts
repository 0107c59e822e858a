import { z } from 'zod'
import { agentType, enabledStatus } from '../common.ts'
import { f, formOf } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { aboutPerson } from '../kit/privacy.ts'
import { type DataOf, done, get, post } from '../kit/route.ts'
import { decimal, id, keyword, phone, row, text } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { adminFields, FirstPassword, NewWithAccount } from './accounts.ts'
import { regionFields } from './region.ts'

/** Maximum depth of the agent tree. */
export const agentDepthMax = 9

/** 1250 → '12.50%' */
export const shareText = (shareBp: number) => `${(shareBp / 100).toFixed(2)}%`

const menu = menuKey.operatorInfo
const module = '运营商信息'

/** Operators are agents that run sites. */
export const operatorList = defineList('/seeker/api/agent', {
  menu,
  module,
  fields: {
    name: f.text('运营商名称', 60, { width: 150 }),
    status: f.code('状态', enabledStatus, { width: 80 }),
    organiseName: f.owner.organiseName,
    parentAgentName: f.shown('上级代理商', { width: 140, optional: true }),
    depth: f.count('层级', { width: 70 }),
    share: f.derived('分成比例', ({ shareBp }: { shareBp: number }) => shareText(shareBp), { width: 100 }),
    siteCount: f.count('站点数', { width: 80, about: 'including agents below' }),
    deviceCount: f.count('设备数', { width: 90, about: 'including agents below' }),
    code: f.no('运营商编号', { width: 120 }),
    type: f.code('类型', agentType, { width: 80 }),
    contact: f.shown('联系人', { width: 90, optional: true }),
    phone: f.phone('手机号', { width: 150 }),
    regionName: f.shown('省市区', { width: 190, optional: true }),
    adminLoginName: f.shown('管理员账号', {
      width: 130,
      optional: true,
      about: 'null: no administrator account',
    }),
    address: f.text('地址', 120, { width: 200, optional: true, hidden: true }),
    remark: f.lines('备注', 300, { width: 180, optional: true, hidden: true }),
    ...f.audit,
    organiseId: f.ownerIds.organiseId,
    parentAgentId: f.data(z.string().nullable()),
    shareBp: f.data(z.int().describe('share of the income in hundredths of a percent')),
    ...f.regionCodes,
  },
  decided: [
    ['name', 'code'],
    ['status', 'type'],
    ['organiseName', 'parentAgentName'],
    ['share', 'depth'],
    ['siteCount', 'deviceCount'],
    ['contact', 'phone'],
    ['regionName', 'adminLoginName'],
  ],
  filter: {
    own: {
      keyword: { title: '名称/编号', schema: keyword.describe('part of the name, or the complete code') },
      parentAgentId: { title: '上级代理商', schema: id.describe('direct children of this agent') },
    },
    exact: ['status'],
    owner: ['organise', 'agent'],
    region: '区域',
    order: ['keyword', 'owner', 'parentAgentId', 'region', 'status'],
  },
  exports: true,
})
export type Operator = DataOf<typeof operatorList.routes.list>['rows'][number]

const fields = {
  ...formOf(operatorList.fields, ['name', 'type', 'phone', 'address', 'remark']),
  contact: aboutPerson(text(30, '联系人')).optional(),
  ...regionFields,
}
const sharePercent = decimal(0, 100, 2, '分成比例')

export const operatorInfo = {
  ...operatorList.routes,
  /**
   * One branch of the tree: the children of an agent, or the top of an organisation's tree in the scope of the caller.
   */
  children: get('/seeker/api/agent/children', {
    access: { menu },
    query: row({
      organiseId: id.optional().describe('required for platform users without parentAgentId'),
      parentAgentId: id.optional(),
    }),
    data: row({
      rows: z.array(row({ id: z.string(), name: z.string(), status: enabledStatus.schema, leaf: z.boolean() })),
      more: z.boolean().describe('more agents exist than the tree shows; use the list'),
    }),
  }),
  /** Roles for the account of a new operator: roles of agents, without rights that the caller lacks. */
  roleOptions: get('/seeker/api/agent/roleOptions', {
    access: { menu },
    query: row({ organiseId: id.optional() }),
    data: z.array(row({ id: z.string(), name: z.string() })),
  }),
  /** Together with its administrator; below the caller's own agent when no parent is given. */
  add: post('/seeker/api/agent/save', {
    access: { menu, action: 'add' },
    audit: { module, does: '新增运营商' },
    idempotent: true,
    body: row({
      ...fields,
      organiseId: id.optional(),
      parentAgentId: id.optional(),
      sharePercent: sharePercent.optional(),
      ...adminFields,
      roleId: id,
    }),
    data: NewWithAccount,
  }),
  edit: post('/seeker/api/agent/update', {
    access: { menu, action: 'edit' },
    audit: { module, does: '编辑运营商' },
    body: row({ id, ...fields, phone: phone.optional().describe('unchanged if omitted') }),
    data: done,
  }),
  setShare: post('/seeker/api/agent/setShare', {
    access: { menu, action: 'edit' },
    audit: { module, does: '设置分成比例' },
    body: row({ id, sharePercent }),
    data: done,
  }),
  toggle: post('/seeker/api/agent/toggle', {
    access: { menu, action: 'edit' },
    audit: { module, does: '启停运营商' },
    body: row({ id, status: enabledStatus.wire }),
    data: done,
  }),
  remove: post('/seeker/api/agent/delete', {
    access: { menu, action: 'delete' },
    audit: { module, does: '删除运营商' },
    body: row({ id }),
    data: done,
  }),
  resetPassword: post('/seeker/api/agent/resetPassword', {
    access: { menu, action: 'edit', ownHands: true },
    audit: { module, does: '重置运营商密码' },
    body: row({ id }),
    data: FirstPassword,
  }),
}
