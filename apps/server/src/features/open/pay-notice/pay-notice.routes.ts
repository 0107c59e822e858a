import { payProvider } from '@wattdeck/contract/accounting/pay-codes.ts'
import type { payNotice } from '@wattdeck/contract/open/pay-notice.ts'
import { Counter } from 'prom-client'
import { type Handlers, prepared } from '../../../kit/http/handlers.ts'
import type { SignerClient } from '../../../kit/crypto/signer-client.ts'
import { applyNotice } from '../../../core/payments/apply-notice.ts'
import type { Merchants } from '../../../core/payments/merchants.ts'
import { storeNotice, noticeStatus, readStored } from '../../../core/payments/notice.store.ts'
import type { PayHooks } from '../../../core/payments/pay-hooks.ts'
import type { Notice, NoticeReply } from '../../../core/payments/provider.ts'

const noticesTotal = new Counter({
  name: 'pay_notices_total',
  help: 'Payment notices by provider and result; forged: not verified',
  labelNames: ['provider', 'what'],
})

const json = 'application/json'
/** The reply that each provider expects. After any other reply the provider sends the notice again. */
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

/** No store: workers read notices too, so core/payments/notice.store.ts stores them. */
export const payNoticeHandlers = (
  signer: SignerClient,
  merchants: Merchants,
  hooks: PayHooks,
): Handlers<typeof payNotice> => {
  /**
   * The worker holds the keys. It verifies a notice by its raw bytes before a transaction begins. The api then stores
   * the notice once and applies it in the same transaction if the payment is known. The signed content determines the
   * kind of the notice, not the address.
   */
  const take = prepared<typeof payNotice.payment, Notice | undefined>({
    prepare: async ({ params, body }) => {
      const { buffer, byteOffset, byteLength } = body.bytes
      const bytes = Buffer.from(buffer, byteOffset, byteLength).toString('base64')
      const { notice } = await signer.request('readNotice', {
        merchantId: params.merchantId,
        head: body.head,
        body: bytes,
      })
      return notice === null ? undefined : readStored(notice)
    },
    handle: async ({ db, scope, params }, notice) => {
      const { provider, merchantId } = params
      const merchant = (await merchants.open(db, [merchantId])).get(merchantId)
      if (notice === undefined || merchant?.channel !== payProvider.code[provider]) {
        noticesTotal.inc({ provider, what: 'forged' })
        return replies[provider].refused
      }
      const from = { merchantId, organiseId: merchant.organiseId, provider: merchant.channel }
      const status = await storeNotice(db, from, notice)
      const is = status === noticeStatus.waiting ? (await applyNotice(db, scope, hooks, merchant, notice)).is : 'again'
      noticesTotal.inc({ provider, what: is })
      return replies[provider].taken
    },
  })
  return { payment: take, refund: take }
}
