import { z } from 'zod'
import { agentType, enabledStatus } from '../common.ts'
import { exportList } from '../kit/bulk.ts'
import { page, PageQuery } from '../kit/page.ts'
import { personal } from '../kit/personal.ts'
import { aboutPerson } from '../kit/privacy.ts'
import { done, get, post } from '../kit/route.ts'
import { decimal, id, keyword, lines, phone, row, text, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { adminFields, FirstPassword, NewWithAccount } from './accounts.ts'
import { regionFields, regionFilter } from './region.ts'

/** An operator is an agent seen as the one who runs sites. */
export type Operator = z.infer<typeof Operator>
export const Operator = row({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  type: agentType.schema,
  organiseId: z.string(),
  organiseName: z.string(),
  parentAgentId: z.string().nullable(),
  parentAgentName: z.string().nullable(),
  depth: z.int(),
  contact: z.string().nullable(),
  phone: personal('phone').nullable(),
  provinceCode: z.string().nullable(),
  cityCode: z.string().nullable(),
  districtCode: z.string().nullable(),
  regionName: z.string().nullable(),
  address: z.string().nullable(),
  siteCount: z.int().describe('with those of the agents below'),
  shareBp: z.int().describe('its part of the income in hundredths of a percent'),
  adminLoginName: z.string().nullable().describe('null: nobody looks after it'),
  remark: z.string().nullable(),
  status: enabledStatus.schema,
  createdBy: z.string().nullable(),
  createdAt: time,
  updatedAt: time,
})

/** What the list shows and a file holds. */
export const operatorColumns = {
  code: '运营商编号',
  name: '运营商名称',
  type: '类型',
  organiseName: '所属机构',
  parentAgentName: '上级代理商',
  depth: '层级',
  contact: '联系人',
  phone: '手机号',
  region: '省市区',
  address: '地址',
  siteCount: '站点数',
  share: '分成比例',
  adminLoginName: '管理员账号',
  status: '状态',
  remark: '备注',
  createdBy: '创建人',
  createdAt: '创建时间',
  updatedAt: '更新时间',
} as const

/** How deep agents hang below each other at most. */
export const agentDepthMax = 9

/** 1250 → '12.50%' */
export const shareText = (shareBp: number) => `${(shareBp / 100).toFixed(2)}%`

const menu = menuKey.operatorInfo
const module = '运营商信息'

const fields = {
  name: text(60, '运营商名称'),
  type: agentType.wire,
  contact: aboutPerson(text(30, '联系人')).optional(),
  phone: phone.optional(),
  ...regionFields,
  address: text(120, '地址').optional(),
  remark: lines(300, '备注').optional(),
}
const sharePercent = decimal(0, 100, 2, '分成比例')

export const operatorInfo = {
  list: get('/seeker/api/agent/pageList', {
    access: { menu },
    query: PageQuery.extend({
      keyword: keyword.optional().describe('part of the name, or the whole code'),
      organiseId: id.optional(),
      agentId: id.optional().describe('itself and those below it'),
      ...regionFilter,
      status: enabledStatus.wire.optional(),
    }),
    data: page(Operator),
  }),
  /** One branch of the tree: those directly below an agent, or at the top of what the caller sees of an organisation. */
  children: get('/seeker/api/agent/children', {
    access: { menu },
    query: row({
      organiseId: id.optional().describe('the platform must name it, unless it names the agent'),
      parentAgentId: id.optional(),
    }),
    data: row({
      rows: z.array(row({ id: z.string(), name: z.string(), status: enabledStatus.schema, leaf: z.boolean() })),
      more: z.boolean().describe('too many for a tree: the list finds the rest'),
    }),
  }),
  /** Roles for the account of a new operator: of agents, and none with a right that the caller lacks. */
  roleOptions: get('/seeker/api/agent/roleOptions', {
    access: { menu },
    query: row({ organiseId: id.optional() }),
    data: z.array(row({ id: z.string(), name: z.string() })),
  }),
  /** With its administrator. Below the caller's own agent where no parent is named. */
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
    body: row({ id, ...fields, phone: phone.optional().describe('left out: unchanged') }),
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
  exportList: exportList('/seeker/api/agent/export', { menu, module }),
}
