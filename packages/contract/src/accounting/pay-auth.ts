import { z } from 'zod'
import { enabledStatus } from '../common.ts'
import { codes } from '../kit/codes.ts'
import { page, PageQuery } from '../kit/page.ts'
import { done, get, post } from '../kit/route.ts'
import { date, id, row, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { merchantMode, payProvider } from './pay-codes.ts'

/** 授权状态: whether the platform lets an organisation take money under a merchant's name. */
export const authState = codes({
  none: { code: 1, label: '未授权', tone: 'warn' },
  granted: { code: 2, label: '已授权', tone: 'ok' },
  expired: { code: 3, label: '已到期', tone: 'bad' },
})

export type MerchantAuth = z.infer<typeof MerchantAuth>
export const MerchantAuth = row({
  id: z.string(),
  organiseName: z.string(),
  provider: payProvider.schema,
  mode: merchantMode.schema,
  name: z.string(),
  merchantNo: z.string(),
  state: authState.schema,
  status: enabledStatus.schema,
  authorisedBy: z.string().nullable(),
  authorisedAt: time.nullable(),
  authorisedUntil: date.nullable().describe('null: until it is called back'),
})

const menu = menuKey.payAuth
const module = '支付授权'
const deciding = { menu, action: 'approve', platform: true } as const

export const payAuth = {
  list: get('/seeker/api/payAuth/pageList', {
    access: { menu },
    query: PageQuery.extend({
      organiseId: id.optional(),
      provider: payProvider.wire.optional(),
      state: authState.wire.optional(),
    }),
    data: page(MerchantAuth),
  }),
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
