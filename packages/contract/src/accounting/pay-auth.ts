import { enabledStatus } from '../common.ts'
import { codes } from '../kit/codes.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import type { DataOf } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { date, id } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { merchantMode, payProvider } from './pay-codes.ts'

/** 授权状态: whether the platform allows an organisation to take money under a merchant's name. */
export const authState = codes({
  none: { code: 1, label: '未授权', tone: 'warn' },
  granted: { code: 2, label: '已授权', tone: 'ok' },
  expired: { code: 3, label: '已到期', tone: 'bad' },
})

const menu = menuKey.payAuth
const module = '支付授权'
const { approve } = screenRoutes({ menu, module, platform: true })

export const payAuthList = defineList('/seeker/api/payAuth', {
  menu,
  module,
  fields: {
    name: f.shown('商户名称', { width: 180 }),
    state: f.code('授权状态', authState, { width: 90 }),
    organiseName: f.shown('机构', { width: 180, object: { kind: 'organise', id: 'organiseId' } }),
    organiseId: f.ownerIds.organiseId,
    provider: f.code('支付渠道', payProvider, { width: 100 }),
    mode: f.code('商户模式', merchantMode, { width: 100 }),
    merchantNo: f.shown('商户号', { width: 160 }),
    status: f.code('收款', enabledStatus, { width: 80 }),
    authorisedBy: f.shown('授权人', { optional: true, width: 100 }),
    authorisedAt: f.time('授权时间', { optional: true, width: 170 }),
    authorisedUntil: f.day('到期', { optional: true, width: 120, about: 'null: valid until revoked' }),
  },
  decided: [
    ['name', 'merchantNo'],
    ['state', 'authorisedUntil'],
    ['organiseName'],
    ['provider', 'mode'],
    ['status'],
    ['authorisedAt', 'authorisedBy'],
  ],
  filter: { exact: ['provider', 'state'], owner: ['organise'] },
})
export type MerchantAuth = DataOf<typeof payAuthList.routes.list>['rows'][number]

export const payAuth = {
  ...payAuthList.routes,
  authorise: approve('/seeker/api/payAuth/authorise', '授权支付商户', { id, until: date.optional() }),
  /** Stops new payments; open payments complete. */
  cancel: approve('/seeker/api/payAuth/cancel', '取消支付授权', { id }),
}
