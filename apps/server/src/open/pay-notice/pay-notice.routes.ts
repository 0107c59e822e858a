import { payProvider } from '@wattdeck/contract/accounting/pay-codes.ts'
import type { payNotice } from '@wattdeck/contract/open/pay-notice.ts'
import { Counter } from 'prom-client'
import type { Ctx, Handlers } from '../../kit/handlers.ts'
import { applyNotice } from '../../pay/apply-notice.ts'
import type { Merchants } from '../../pay/merchants.ts'
import { keepNotice, noticeStatus } from '../../pay/notice.store.ts'
import type { PayHooks } from '../../pay/pay-hooks.ts'
import type { NoticeReply } from '../../pay/provider.ts'

const heard = new Counter({
  name: 'pay_notices_total',
  help: 'What providers told us; forged: whoever it was could not prove it',
  labelNames: ['provider', 'what'],
})

const json = 'application/json'
/** What each provider wants to hear; after anything else it says it again. */
const replies: Record<'wechat' | 'alipay', Record<'taken' | 'refused', NoticeReply>> = {
  wechat: {
    taken: { status: 200, type: json, body: '{"code":"SUCCESS","message":"成功"}' },
    refused: { status: 401, type: json, body: '{"code":"FAIL","message":"签名错误"}' },
  },
  alipay: {
    taken: { status: 200, type: 'text/plain', body: 'success' },
    refused: { status: 401, type: 'text/plain', body: 'fail' },
  },
}

/** No store: notices are kept beside the payments they tell of, in pay/notice.store.ts, where workers read them, too. */
export const payNoticeHandlers = (merchants: Merchants, hooks: PayHooks): Handlers<typeof payNotice> => {
  /**
   * Proven by the bytes as they came before anything is stored; then kept once and, where its payment is known, done in
   * the same transaction. Which kind it is stands in what was signed, not in the address.
   */
  const take = async ({ db, scope, params, body }: Ctx<typeof payNotice.payment>): Promise<NoticeReply> => {
    const { provider, merchantId } = params
    const merchant = (await merchants.open(db, scope, [merchantId])).get(merchantId)
    const { bytes, head } = body
    const own = merchant?.channel === payProvider.code[provider] ? merchant.provider : undefined
    const notice = own?.readNotice(head, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    if (merchant === undefined || notice === undefined) {
      heard.inc({ provider, what: 'forged' })
      return replies[provider].refused
    }
    const from = { merchantId, organiseId: merchant.organiseId, provider: merchant.channel }
    const status = await keepNotice(db, scope, from, notice)
    const is = status === noticeStatus.waiting ? (await applyNotice(db, scope, hooks, merchant, notice)).is : 'again'
    heard.inc({ provider, what: is })
    return replies[provider].taken
  }
  return { payment: take, refund: take }
}
