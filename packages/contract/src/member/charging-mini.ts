import { z } from 'zod'
import { enabledStatus } from '../common.ts'
import { f, formOf } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import type { DataOf } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { id } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { memberChannel } from './member-row.ts'

const menu = menuKey.chargingMini
const module = '充电小程序管理'
const { change, create, remove } = screenRoutes({ menu, module })

const appId = z.string().regex(/^wx[\da-f]{16}$/, '请输入微信AppID：wx开头，共18位小写字母和数字')
const themeColor = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^#[\da-f]{6}$/, '请选择主题色')
const hotline = z
  .string()
  .trim()
  .regex(/^(1[3-9]\d{9}|0\d{2,3}-?\d{7,8}|[48]00-?\d{3}-?\d{4}|95\d{3,6})$/, '请输入正确的客服电话，如400-123-4567')
const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(100, '业务域名不能超过100个字符')
  .regex(/^([\da-z]([\da-z-]{0,61}[\da-z])?\.)+[a-z]{2,24}$/, '请输入域名，不含https://和路径，如mini.example.cn')

/** The public accounts and mini-programs through which members of an organisation register. */
export const chargingMiniList = defineList('/seeker/api/chargingMini', {
  menu,
  module,
  fields: {
    name: f.text('小程序名称', 60, { width: 180 }),
    status: f.code('状态', enabledStatus, { width: 80 }),
    channel: f.code('类型', memberChannel, { width: 90 }),
    appId: f.id('AppID', appId, { width: 200, help: '微信公众平台的AppID，保存后不能修改' }),
    organiseName: f.owner.organiseName,
    organiseId: f.ownerIds.organiseId,
    merchantNo: f.no('商户号', {
      optional: true,
      width: 150,
      about: 'the merchant that receives WeChat payments of the organisation now; null: none',
    }),
    themeColor: f.id('主题色', themeColor, { optional: true, width: 110 }),
    hotline: f.id('客服电话', hotline, { optional: true, width: 150 }),
    domain: f.id('业务域名', domain, { optional: true, width: 200, help: '小程序网页所在的域名' }),
    hasMembers: f.data(z.boolean()),
    ...f.audit,
  },
  decided: [
    ['name', 'organiseName'],
    ['status'],
    ['channel'],
    ['appId', 'merchantNo'],
    ['themeColor'],
    ['hotline', 'domain'],
    ['createdAt', 'createdBy'],
  ],
  filter: {
    keyword: { label: '名称/AppID', contains: ['name'], begins: ['appId'] },
    owner: ['organise'],
    exact: ['channel', 'status'],
  },
  exports: true,
})
export type MemberApp = DataOf<typeof chargingMiniList.routes.list>['rows'][number]

/** Inputs of both forms, and of the form of a new app. */
export const appForm = ['name', 'themeColor', 'hotline', 'domain'] as const
export const newAppForm = ['channel', 'appId'] as const

const { fields } = chargingMiniList
export const chargingMini = {
  ...chargingMiniList.routes,
  add: create('/seeker/api/chargingMini/save', '新增小程序', {
    organiseId: id,
    ...formOf(fields, newAppForm),
    ...formOf(fields, appForm),
  }),
  /** Not the AppID: the open ids of members belong to it. */
  edit: change('/seeker/api/chargingMini/update', '编辑小程序', { id, ...formOf(fields, appForm) }),
  toggle: change('/seeker/api/chargingMini/toggle', '启停小程序', { id, status: enabledStatus.wire }),
  /** Refused once a member is registered through the app. */
  remove: remove('/seeker/api/chargingMini/delete', '删除小程序'),
}
