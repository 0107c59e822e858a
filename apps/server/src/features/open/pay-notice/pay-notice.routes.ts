import { payProvider } from '@wattdeck/contract/accounting/pay-codes.ts'
import type { payNotice } from '@wattdeck/contract/open/pay-notice.ts'
import { Counter } from 'prom-client'
import { type Handlers, prepared } from '../../../kit/http/handlers.ts'
import type { SignerClient } from '../../../kit/crypto/signer-client.ts'
import { applyNotice } from '../../../core/payments/apply-notice.ts'
import type { Merchants } from '../../../core/payments/merchants.ts'
import { keepNotice, noticeStatus, readStored } from '../../../core/payments/notice.store.ts'
import type { PayHooks } from '../../../core/payments/pay-hooks.ts'
import type { Notice, NoticeReply } from '../../../core/payments/provider.ts'

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

/** No store: core/payments/notice.store.ts stores notices, because workers read them, too. */
export const payNoticeHandlers = (
  signer: SignerClient,
  merchants: Merchants,
  hooks: PayHooks,
): Handlers<typeof payNotice> => {
  /**
   * The worker has the keys: it proves a notice by the bytes as they came, before a transaction begins. Then it is stored
   * once and, where its payment is known, applied in the same transaction. Its kind is in what was signed, not in the
   * address.
   */
  const take = prepared<typeof payNotice.payment, Notice | undefined>({
    prepare: async ({ params, body }) => {
      const { buffer, byteOffset, byteLength } = body.bytes
      const bytes = Buffer.from(buffer, byteOffset, byteLength).toString('base64')
      const { notice } = await signer.ask('readNotice', { merchantId: params.merchantId, head: body.head, body: bytes })
      return notice === null ? undefined : readStored(notice)
    },
    handle: async ({ db, scope, params }, notice) => {
      const { provider, merchantId } = params
      const merchant = (await merchants.open(db, [merchantId])).get(merchantId)
      if (notice === undefined || merchant?.channel !== payProvider.code[provider]) {
        heard.inc({ provider, what: 'forged' })
        return replies[provider].refused
      }
      const from = { merchantId, organiseId: merchant.organiseId, provider: merchant.channel }
      const status = await keepNotice(db, from, notice)
      const is = status === noticeStatus.waiting ? (await applyNotice(db, scope, hooks, merchant, notice)).is : 'again'
      heard.inc({ provider, what: is })
      return replies[provider].taken
    },
  })
  return { payment: take, refund: take }
}
