import { z } from 'zod'
import { yuanText } from '@wattdeck/domain/money.ts'
import type {
  Answer,
  BillLine,
  Notice,
  NoticeHead,
  PayRequest,
  Payment,
  PayHandle,
  Provider,
  ProviderRefundRequest,
  Refunding,
} from '../../provider.ts'
import { chinaTime, fenOf, ofChinaTime, plainText } from '../../wire-values.ts'
import { readAlipayBill } from './alipay-bill.ts'
import type { AlipaySetting } from './alipay-keys.ts'
import { AlipayWire } from './alipay-wire.ts'
import { readNotice, readPayment } from './alipay-messages.ts'

const Code = z.object({ out_trade_no: z.string(), qr_code: z.string().min(1).max(1024) })
const Created = z.object({ out_trade_no: z.string(), trade_no: z.string().min(1).max(64) })
const Returned = z.object({
  out_trade_no: z.string(),
  fund_change: z.enum(['Y', 'N']),
  gmt_refund_pay: z.string().optional(),
})
const RefundResult = z.object({
  out_trade_no: z.string(),
  out_request_no: z.string(),
  refund_status: z.literal('REFUND_SUCCESS'),
  refund_amount: z.string().transform(fenOf).pipe(z.bigint().positive()),
  gmt_refund_pay: z.string().optional(),
})
const BillAddress = z.object({ bill_download_url: z.string().min(1) })

const strange = { result: 'unknown', why: 'a signed answer of a shape that is not known' } as const
const notThere = { result: 'refused', code: 'REFUND_NOT_EXIST', words: '没有已完成的退款', absent: true } as const

/** Alipay's trades for one account and one application. */
export class AlipayProvider implements Provider {
  readonly #setting: AlipaySetting
  readonly #wire: AlipayWire

  constructor(setting: AlipaySetting) {
    this.#setting = setting
    this.#wire = new AlipayWire(setting)
  }

  async pay(ask: PayRequest): Promise<Answer<{ handle: PayHandle }>> {
    const code = ask.by.way === 'code'
    const method = code ? 'alipay.trade.precreate' : 'alipay.trade.create'
    const answer = await this.#wire.send(method, this.#paymentBody(ask), ask.notifyUrl)
    if (answer.result !== 'done') return answer
    const content = (code ? Code : Created).safeParse(answer.body).data
    if (content?.out_trade_no !== ask.payNo) return strange
    return {
      result: 'done',
      handle: 'qr_code' in content ? { codeUrl: content.qr_code } : { handOver: { tradeNO: content.trade_no } },
    }
  }

  async query(payNo: string): Promise<Answer<{ payment: Payment }>> {
    const answer = await this.#wire.send('alipay.trade.query', { out_trade_no: payNo })
    if (answer.result !== 'done') return answer
    const payment = readPayment(answer.body, this.#setting)
    return payment?.payNo === payNo ? { result: 'done', payment } : strange
  }

  /**
   * Uses `close`, never `cancel`: `cancel` refunds a payment that was made meanwhile without a record here. A code that
   * was not scanned is `absent` at Alipay and expires by itself.
   */
  async close(payNo: string): Promise<Answer<object>> {
    const answer = await this.#wire.send('alipay.trade.close', { out_trade_no: payNo })
    const closed = answer.result === 'refused' && answer.code === 'ACQ.TRADE_HAS_CLOSE'
    return closed || answer.result === 'done' ? { result: 'done' } : answer
  }

  /** `fund_change` 'N' means that the refund was done before or is still pending, so a query follows. */
  async refund({ payNo, refundNo, fen, reason }: ProviderRefundRequest): Promise<Answer<{ refunding: Refunding }>> {
    const answer = await this.#wire.send('alipay.trade.refund', {
      out_trade_no: payNo,
      out_request_no: refundNo,
      refund_amount: yuanText(fen),
      refund_reason: plainText(reason, 80, '退款'),
    })
    if (answer.result !== 'done') return answer
    const content = Returned.safeParse(answer.body).data
    if (content?.out_trade_no !== payNo) return strange
    const refunding = { refundNo, payNo, refundId: undefined, fen, merchantNo: this.#setting.merchantNo }
    if (content.fund_change === 'Y') {
      const refundedAt = ofChinaTime(content.gmt_refund_pay ?? '') ?? new Date()
      return { result: 'done', refunding: { ...refunding, state: 'success', refundedAt } }
    }
    const result = await this.queryRefund({ refundNo, payNo })
    if (result.result !== 'refused') return result
    return { result: 'done', refunding: { ...refunding, state: 'processing', refundedAt: undefined } }
  }

  async queryRefund({
    refundNo,
    payNo,
  }: {
    refundNo: string
    payNo: string
  }): Promise<Answer<{ refunding: Refunding }>> {
    const biz = { out_trade_no: payNo, out_request_no: refundNo, query_options: ['gmt_refund_pay'] }
    const answer = await this.#wire.send('alipay.trade.fastpay.refund.query', biz)
    if (answer.result !== 'done') return answer
    const result = RefundResult.safeParse(answer.body).data
    // Alipay returns a success without a status if the refund does not exist, or not yet.
    if (result === undefined) return isSilent(answer.body) ? notThere : strange
    if (result.out_request_no !== refundNo || result.out_trade_no !== payNo) return strange
    const refunding: Refunding = {
      refundNo,
      payNo,
      state: 'success',
      refundId: undefined,
      fen: result.refund_amount,
      refundedAt: ofChinaTime(result.gmt_refund_pay ?? ''),
      merchantNo: this.#setting.merchantNo,
    }
    return { result: 'done', refunding }
  }

  async bill(day: string): Promise<Answer<{ lines: BillLine[] }>> {
    const biz = { bill_type: 'trade', bill_date: day }
    const answer = await this.#wire.send('alipay.data.dataservice.bill.downloadurl.query', biz)
    if (answer.result === 'refused' && answer.code.endsWith('bill_not_exist')) return { result: 'done', lines: [] }
    if (answer.result !== 'done') return answer
    const place = BillAddress.safeParse(answer.body).data
    if (place === undefined) return strange
    const file = await this.#wire.file(place.bill_download_url)
    if (file.result !== 'done') return file
    const lines = await readAlipayBill(file.bytes)
    return lines === undefined ? { result: 'unknown', why: 'the bill cannot be read' } : { result: 'done', lines }
  }

  /** The signature covers the decoded fields; a form with a repeated name is rejected. */
  readNotice(_: NoticeHead, body: Buffer): Notice | undefined {
    const form = new URLSearchParams(body.toString('utf8'))
    const fields = Object.fromEntries(form)
    if (Object.keys(fields).length !== form.size || !this.#wire.keys.isTheProvidersForm(fields)) return undefined
    return readNotice(fields)
  }

  #paymentBody({ payNo, fen, title, expiresAt, by }: PayRequest) {
    return {
      out_trade_no: payNo,
      total_amount: yuanText(fen),
      subject: plainText(title, 100, '充值'),
      time_expire: chinaTime(expiresAt),
      ...(by.way === 'app' ? { product_code: 'JSAPI_PAY', op_app_id: this.#setting.appId, ...buyer(by.openId) } : {}),
    }
  }
}

/** Older accounts have a numeric user id, newer ones an open id per application. */
const buyer = (openId: string) => (/^2088\d{12}$/.test(openId) ? { buyer_id: openId } : { buyer_open_id: openId })

const isSilent = (content: unknown) => typeof content === 'object' && content !== null && !('refund_status' in content)
