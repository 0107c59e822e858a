import { enabledStatus } from '../common.ts'
import { codes } from '../kit/codes.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { type DataOf, done, post } from '../kit/route.ts'
import { date, id, row } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { merchantMode, payProvider } from './pay-codes.ts'

/** 授权状态: whether the platform lets an organisation take money under a merchant's name. */
export const authState = codes({
  none: { code: 1, label: '未授权', tone: 'warn' },
  granted: { code: 2, label: '已授权', tone: 'ok' },
  expired: { code: 3, label: '已到期', tone: 'bad' },
})

const menu = menuKey.payAuth
const module = '支付授权'
const deciding = { menu, action: 'approve', platform: true } as const

export const payAuthList = defineList('/seeker/api/payAuth', {
  menu,
  module,
  fields: {
    name: f.shown('商户名称', { width: 180 }),
    state: f.code('授权状态', authState, { width: 90 }),
    organiseName: f.shown('机构', { width: 180 }),
    provider: f.code('支付渠道', payProvider, { width: 100 }),
    mode: f.code('商户模式', merchantMode, { width: 100 }),
    merchantNo: f.shown('商户号', { width: 160 }),
    status: f.code('收款', enabledStatus, { width: 80 }),
    authorisedBy: f.shown('授权人', { optional: true, width: 100 }),
    authorisedAt: f.time('授权时间', { optional: true, width: 170 }),
    authorisedUntil: f.day('到期', { optional: true, width: 120, about: 'null: until it is called back' }),
  },
  filter: { exact: ['provider', 'state'], owner: ['organise'] },
})
export type MerchantAuth = DataOf<typeof payAuthList.routes.list>['rows'][number]

export const payAuth = {
  ...payAuthList.routes,
  authorise: post('/seeker/api/payAuth/authorise', {
    access: deciding,
    audit: { module, does: '授权支付商户' },
    body: row({ id, until: date.optional() }),
    data: done,
  }),
  /** Nobody can pay there from now on; what is open comes to its end. */
  cancel: post('/seeker/api/payAuth/cancel', {
    access: deciding,
    audit: { module, does: '取消支付授权' },
    body: row({ id }),
    data: done,
  }),
}
