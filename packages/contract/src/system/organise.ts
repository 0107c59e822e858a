import { isCreditCode } from '@wattdeck/domain/credit-code.ts'
import { z } from 'zod'
import { basicServiceStatus, enabledStatus } from '../common.ts'
import { codes } from '../kit/codes.ts'
import { f, formOf } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { aboutPerson } from '../kit/privacy.ts'
import { type DataOf, done, get, post } from '../kit/route.ts'
import { flag, id, keyword, phone, row, text } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { adminFields, FirstPassword, LoginTicket, NewWithAccount } from './accounts.ts'
import { regionFields } from './region.ts'
import { Privilege, privilegeFields } from './role.ts'

export const organiseType = codes({
  brand: { code: 1, label: '品牌运营商' },
  estate: { code: 2, label: '物业公司' },
  maker: { code: 3, label: '设备厂商' },
  individual: { code: 4, label: '个体经营' },
})

/** How an organisation is paid its earnings. */
export const settlementWay = codes({
  automatic: { code: 1, label: '自动结算' },
  manual: { code: 2, label: '手动结算' },
})

const menu = menuKey.organise
const module = '机构管理'

export const organiseList = defineList('/seeker/api/organise', {
  menu,
  module,
  fields: {
    name: f.text('机构名称', 60, { width: 180, object: { kind: 'organise', id: 'id' } }),
    status: f.code('状态', enabledStatus, { width: 80 }),
    code: f.no('机构编号', { width: 120 }),
    shortName: f.text('简称', 20, { width: 110, optional: true }),
    type: f.code('类型', organiseType, { width: 110 }),
    basicServiceStatus: f.code('基础服务状态', basicServiceStatus, { width: 120 }),
    serviceExpiresOn: f.day('服务到期', {
      width: 110,
      optional: true,
      about: 'null until the platform has set the terms',
    }),
    agentCount: f.count('代理商数', { width: 90 }),
    siteCount: f.count('站点数', { width: 80 }),
    deviceCount: f.count('设备数', { width: 90 }),
    contact: f.shown('联系人', { width: 90, optional: true }),
    phone: f.phone('手机号', { width: 150 }),
    regionName: f.shown('省市区', { width: 190, optional: true }),
    publicAccount: f.text('公众号', 60, { width: 130, optional: true }),
    miniProgram: f.text('小程序', 60, { width: 130, optional: true }),
    adminLoginName: f.shown('管理员账号', {
      width: 130,
      optional: true,
      about: 'null: no administrator account',
    }),
    address: f.text('地址', 120, { width: 200, optional: true, hidden: true }),
    creditCode: f.id(
      '统一社会信用代码',
      z.string().max(30).trim().toUpperCase().refine(isCreditCode, '请输入正确的统一社会信用代码'),
      { width: 200, optional: true, hidden: true },
    ),
    legalPerson: f.person('法人', 'name', { width: 120, optional: true, hidden: true }),
    settlementWay: f.code('结算方式', settlementWay, { width: 100, optional: 'form', hidden: true }),
    remark: f.lines('备注', 300, { width: 180, optional: true, hidden: true }),
    test: f.flag('测试机构', { about: 'not a customer; devices of others may be replayed there' }),
    ...f.audit,
    ...f.regionCodes,
    licenceFileId: f.data(z.string().nullable()),
  },
  decided: [
    ['name', 'code'],
    ['status', 'type'],
    ['basicServiceStatus', 'serviceExpiresOn'],
    ['deviceCount', 'siteCount'],
    ['contact', 'phone'],
    ['regionName', 'address'],
    ['adminLoginName', 'publicAccount'],
  ],
  filter: {
    own: {
      keyword: {
        title: '名称/编号',
        schema: keyword.describe('part of the name or short name, or the complete code'),
      },
      organiseId: { schema: id.describe('a single organisation, for links') },
    },
    exact: ['basicServiceStatus', 'status'],
    days: 'createdAt',
    region: '区域',
    order: ['keyword', 'region', 'basicServiceStatus', 'status', 'from'],
  },
  exports: true,
})
export type Organise = DataOf<typeof organiseList.routes.list>['rows'][number]

const fields = {
  ...formOf(organiseList.fields, ['name', 'shortName', 'type', 'phone', 'address', 'publicAccount', 'miniProgram']),
  ...formOf(organiseList.fields, ['creditCode', 'settlementWay', 'remark']),
  contact: aboutPerson(text(30, '联系人')).optional(),
  legalPerson: aboutPerson(text(30, '法人')).optional(),
  licenceFileId: id.optional(),
  ...regionFields,
}

/** The platform manages organisations; each organisation sees itself. */
export const organise = {
  ...organiseList.routes,
  /** Together with its administrator, who gets a role with the selected rights. */
  add: post('/seeker/api/organise/save', {
    access: { menu, action: 'add' },
    audit: { module, does: '新增机构' },
    idempotent: true,
    body: row({
      ...fields,
      ...adminFields,
      ...privilegeFields,
      test: flag.optional().describe('cannot be changed later'),
    }),
    data: NewWithAccount,
  }),
  edit: post('/seeker/api/organise/update', {
    access: { menu, action: 'edit' },
    audit: { module, does: '编辑机构' },
    body: row({
      id,
      ...fields,
      phone: phone.optional().describe('unchanged if omitted'),
      legalPerson: fields.legalPerson.describe('unchanged if omitted'),
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
    audit: { module, does: '代登录机构管理员' },
    body: row({ id }),
    data: LoginTicket,
  }),
  /** The rights the caller may grant to an organisation, and those it has; for a new one the proposed ones. */
  privilege: get('/seeker/api/organise/privilege', {
    access: { menu },
    query: row({ id: id.optional().describe('omit for a new organisation') }),
    data: Privilege,
  }),
  /**
   * The rights of its administrator are the ceiling: a removed right is removed from every role of the organisation.
   */
  savePrivilege: post('/seeker/api/organise/savePrivilege', {
    access: { menu, action: 'edit' },
    audit: { module, does: '机构菜单授权' },
    body: row({ id, ...privilegeFields }),
    data: done,
  }),
}
