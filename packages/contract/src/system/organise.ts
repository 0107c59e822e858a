import { isCreditCode } from '@wattdeck/domain/credit-code.ts'
import { z } from 'zod'
import { basicServiceStatus, enabledStatus } from '../common.ts'
import { exportList } from '../kit/bulk.ts'
import { codes } from '../kit/codes.ts'
import { page, PageQuery } from '../kit/page.ts'
import { personal } from '../kit/personal.ts'
import { aboutPerson } from '../kit/privacy.ts'
import { done, get, post } from '../kit/route.ts'
import { date, flag, id, keyword, lines, phone, row, text, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { adminFields, FirstPassword, LoginTicket, NewWithAccount } from './accounts.ts'
import { regionFields, regionFilter } from './region.ts'
import { Privilege, privilegeFields } from './role.ts'

export const organiseType = codes({
  brand: { code: 1, label: '品牌运营商' },
  estate: { code: 2, label: '物业公司' },
  maker: { code: 3, label: '设备厂商' },
  individual: { code: 4, label: '个体经营' },
})

/** How an organisation gets what it has earned. */
export const settlementWay = codes({
  automatic: { code: 1, label: '自动结算' },
  manual: { code: 2, label: '手动结算' },
})

export type Organise = z.infer<typeof Organise>
export const Organise = row({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  shortName: z.string().nullable(),
  type: organiseType.schema,
  contact: z.string().nullable(),
  phone: personal('phone').nullable(),
  provinceCode: z.string().nullable(),
  cityCode: z.string().nullable(),
  districtCode: z.string().nullable(),
  regionName: z.string().nullable(),
  address: z.string().nullable(),
  publicAccount: z.string().nullable(),
  miniProgram: z.string().nullable(),
  creditCode: z.string().nullable(),
  legalPerson: personal('name').nullable(),
  settlementWay: settlementWay.schema,
  licenceFileId: z.string().nullable(),
  agentCount: z.int(),
  siteCount: z.int(),
  basicServiceStatus: basicServiceStatus.schema,
  serviceExpiresOn: date.nullable().describe('null until the platform has set the terms'),
  adminLoginName: z.string().nullable().describe('null: nobody looks after it'),
  remark: z.string().nullable(),
  test: z.boolean().describe('no customer: devices of others may be replayed there'),
  status: enabledStatus.schema,
  createdBy: z.string().nullable(),
  createdAt: time,
  updatedAt: time,
})

/** What the list shows and a file holds. */
export const organiseColumns = {
  code: '机构编号',
  name: '机构名称',
  shortName: '简称',
  type: '类型',
  contact: '联系人',
  phone: '手机号',
  region: '省市区',
  address: '地址',
  publicAccount: '公众号',
  miniProgram: '小程序',
  creditCode: '统一社会信用代码',
  legalPerson: '法人',
  settlementWay: '结算方式',
  agentCount: '代理商数',
  siteCount: '站点数',
  basicServiceStatus: '基础服务状态',
  serviceExpiresOn: '服务到期',
  adminLoginName: '管理员账号',
  status: '状态',
  test: '测试机构',
  remark: '备注',
  createdBy: '创建人',
  createdAt: '创建时间',
  updatedAt: '更新时间',
} as const

const menu = menuKey.organise
const module = '机构管理'

const fields = {
  name: text(60, '机构名称'),
  shortName: text(20, '简称').optional(),
  type: organiseType.wire,
  contact: aboutPerson(text(30, '联系人')).optional(),
  phone: phone.optional(),
  ...regionFields,
  address: text(120, '地址').optional(),
  publicAccount: text(60, '公众号').optional(),
  miniProgram: text(60, '小程序').optional(),
  creditCode: z.string().max(30).trim().toUpperCase().refine(isCreditCode, '请输入正确的统一社会信用代码').optional(),
  legalPerson: aboutPerson(text(30, '法人')).optional(),
  licenceFileId: id.optional(),
  settlementWay: settlementWay.wire.optional(),
  remark: lines(300, '备注').optional(),
}

/** Organisations are looked after by the platform; each sees itself. */
export const organise = {
  list: get('/seeker/api/organise/pageList', {
    access: { menu },
    query: PageQuery.extend({
      keyword: keyword.optional().describe('part of the name or short name, or the whole code'),
      ...regionFilter,
      basicServiceStatus: basicServiceStatus.wire.optional(),
      status: enabledStatus.wire.optional(),
      from: date.optional().describe('made on this day or later'),
      to: date.optional(),
    }),
    data: page(Organise),
  }),
  /** With its administrator, who gets a role with the chosen rights. */
  add: post('/seeker/api/organise/save', {
    access: { menu, action: 'add' },
    audit: { module, does: '新增机构' },
    idempotent: true,
    body: row({
      ...fields,
      ...adminFields,
      ...privilegeFields,
      test: flag.optional().describe('it stays so for good'),
    }),
    data: NewWithAccount,
  }),
  edit: post('/seeker/api/organise/update', {
    access: { menu, action: 'edit' },
    audit: { module, does: '编辑机构' },
    body: row({
      id,
      ...fields,
      phone: phone.optional().describe('left out: unchanged'),
      legalPerson: fields.legalPerson.describe('left out: unchanged'),
    }),
    data: done,
  }),
  toggle: post('/seeker/api/organise/toggle', {
    access: { menu, action: 'edit' },
    audit: { module, does: '启停机构' },
    body: row({ id, status: enabledStatus.wire }),
    data: done,
  }),
  remove: post('/seeker/api/organise/delete', {
    access: { menu, action: 'delete' },
    audit: { module, does: '删除机构' },
    body: row({ id }),
    data: done,
  }),
  resetPassword: post('/seeker/api/organise/resetPassword', {
    access: { menu, action: 'edit', ownHands: true },
    audit: { module, does: '重置机构管理员密码' },
    body: row({ id }),
    data: FirstPassword,
  }),
  quickLogin: post('/seeker/api/organise/quickLogin', {
    access: { menu, action: 'edit' },
    audit: { module, does: '登录为机构管理员' },
    body: row({ id }),
    data: LoginTicket,
  }),
  /** What the caller may grant to an organisation, and which of it a certain one has; of a new one what is proposed. */
  privilege: get('/seeker/api/organise/privilege', {
    access: { menu },
    query: row({ id: id.optional().describe('left out: for a new one') }),
    data: Privilege,
  }),
  /** The rights of its administrator are the ceiling: what they lose, every role of the organisation loses. */
  savePrivilege: post('/seeker/api/organise/savePrivilege', {
    access: { menu, action: 'edit' },
    audit: { module, does: '机构菜单授权' },
    body: row({ id, ...privilegeFields }),
    data: done,
  }),
  exportList: exportList('/seeker/api/organise/export', { menu, module }),
}
