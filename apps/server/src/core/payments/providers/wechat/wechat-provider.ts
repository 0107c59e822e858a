import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
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
import { plainText } from '../../wire-values.ts'
import { readWechatBill } from './wechat-bill.ts'
import type { WechatSetting } from './wechat-keys.ts'
import { NoticeBody, readPayment, readRefunding } from './wechat-messages.ts'
import { spelled, WechatWire } from './wechat-wire.ts'

const Code = z.object({ code_url: z.string().min(1).max(512) })
const Prepared = z.object({ prepay_id: z.string().min(1).max(128) })
const BillAddress = z.object({ hash_type: z.literal('SHA1'), hash_value: z.string(), download_url: z.string() })

const strange = { result: 'unknown', why: 'a signed answer of a shape that is not known' } as const
const part = encodeURIComponent

/** WeChat Pay's API v3 for one merchant, or for a sub-merchant if the setting names one. */
export class WechatProvider implements Provider {
  readonly #setting: WechatSetting
  readonly #wire: WechatWire
  /** Path of payments; partner mode has a separate one. */
  readonly #place: string

  constructor(setting: WechatSetting) {
    this.#setting = setting
    this.#wire = new WechatWire(setting)
    this.#place = setting.subMerchantNo === undefined ? '/v3/pay/transactions' : '/v3/pay/partner/transactions'
  }

  async pay(ask: PayRequest): Promise<Answer<{ handle: PayHandle }>> {
    const way = ask.by.way === 'code' ? 'native' : 'jsapi'
    const answer = await this.#wire.send('POST', `${this.#place}/${way}`, this.#paymentBody(ask))
    if (answer.result !== 'done') return answer
    if (ask.by.way === 'code') {
      const code = Code.safeParse(answer.body).data
      return code === undefined ? strange : { result: 'done', handle: { codeUrl: code.code_url } }
    }
    const prepared = Prepared.safeParse(answer.body).data
    return prepared === undefined ? strange : { result: 'done', handle: this.#handOver(prepared.prepay_id) }
  }

  async query(payNo: string): Promise<Answer<{ payment: Payment }>> {
    const names = new URLSearchParams(this.#merchant())
    const answer = await this.#wire.send('GET', `${this.#place}/out-trade-no/${part(payNo)}?${names.toString()}`)
    if (answer.result !== 'done') return answer
    const payment = readPayment(answer.body)
    return payment?.payNo === payNo ? { result: 'done', payment } : strange
  }

  async close(payNo: string): Promise<Answer<object>> {
    const answer = await this.#wire.send('POST', `${this.#place}/out-trade-no/${part(payNo)}/close`, this.#merchant())
    const closed = answer.result === 'refused' && spelled(answer.code) === 'ORDERCLOSED'
    return closed || answer.result === 'done' ? { result: 'done' } : answer
  }

  async refund({
    payNo,
    refundNo,
    fen,
    ofFen,
    reason,
    notifyUrl,
  }: ProviderRefundRequest): Promise<Answer<{ refunding: Refunding }>> {
    const answer = await this.#wire.send('POST', '/v3/refund/domestic/refunds', {
      ...this.#sub(),
      out_trade_no: payNo,
      out_refund_no: refundNo,
      reason: plainText(reason, 26, '退款'),
      notify_url: notifyUrl,
      amount: { refund: wireFen(fen), total: wireFen(ofFen), currency: 'CNY' },
    })
    return this.#refunding(answer, refundNo)
  }

  async queryRefund({ refundNo }: { refundNo: string; payNo: string }): Promise<Answer<{ refunding: Refunding }>> {
    const query = new URLSearchParams(this.#sub()).toString()
    const path = `/v3/refund/domestic/refunds/${part(refundNo)}${query === '' ? '' : `?${query}`}`
    return this.#refunding(await this.#wire.send('GET', path), refundNo)
  }

  async bill(day: string): Promise<Answer<{ lines: BillLine[] }>> {
    const query = new URLSearchParams({ bill_date: day, bill_type: 'ALL', ...this.#sub() })
    const answer = await this.#wire.send('GET', `/v3/bill/tradebill?${query.toString()}`)
    if (answer.result === 'refused') return withoutBill(answer)
    if (answer.result === 'unknown') return answer
    const place = BillAddress.safeParse(answer.body).data
    if (place === undefined) return strange
    const file = await this.#wire.file(place.download_url)
    if (file.result !== 'done') return file
    const hash = createHash('sha1').update(file.bytes).digest('hex')
    if (hash !== place.hash_value.toLowerCase()) return { result: 'unknown', why: 'the bill is not what was promised' }
    const lines = readWechatBill(file.bytes.toString('utf8'))
    return lines === undefined ? { result: 'unknown', why: 'the bill cannot be read' } : { result: 'done', lines }
  }

  readNotice(head: NoticeHead, body: Buffer): Notice | undefined {
    if (!this.#wire.keys.isTheProviders((name) => head[name], body)) return undefined
    try {
      const notice = NoticeBody.parse(JSON.parse(body.toString('utf8')))
      const content: unknown = JSON.parse(this.#wire.keys.open(notice.resource) ?? 'null')
      if (notice.event_type.startsWith('REFUND.')) {
        const refunding = readRefunding(content, this.#merchantNo())
        return refunding && { id: notice.id, kind: 'refund', refunding }
      }
      const payment = readPayment(content)
      return payment && { id: notice.id, kind: 'payment', payment }
    } catch {
      return undefined
    }
  }

  #refunding(answer: Answer<{ body: unknown }>, refundNo: string): Answer<{ refunding: Refunding }> {
    if (answer.result !== 'done') return answer
    const refunding = readRefunding(answer.body, this.#merchantNo())
    return refunding?.refundNo === refundNo ? { result: 'done', refunding } : strange
  }

  #paymentBody({ payNo, fen, title, expiresAt, notifyUrl, by }: PayRequest) {
    const { appId, subAppId, subMerchantNo } = this.#setting
    const names =
      subMerchantNo === undefined ? { appid: appId } : { sp_appid: appId, ...(subAppId && { sub_appid: subAppId }) }
    return {
      ...names,
      ...this.#merchant(),
      description: plainText(title, 40, '充值'),
      out_trade_no: payNo,
      time_expire: `${new Date(expiresAt.getTime() + 8 * 3_600_000).toISOString().slice(0, 19)}+08:00`,
      notify_url: notifyUrl,
      amount: { total: wireFen(fen), currency: 'CNY' },
      ...(by.way === 'app' ? { payer: { [this.#payerName()]: by.openId } } : {}),
    }
  }

  #payerName(): string {
    if (this.#setting.subMerchantNo === undefined) return 'openid'
    return this.#setting.subAppId === undefined ? 'sp_openid' : 'sub_openid'
  }

  /** The signed parameters that the page inside the app passes to the app. */
  #handOver(prepayId: string): { handOver: Record<string, string> } {
    const { appId, subAppId } = this.#setting
    const timeStamp = String(Math.floor(Date.now() / 1000))
    const nonceStr = randomBytes(16).toString('hex')
    const params = { appId: subAppId ?? appId, timeStamp, nonceStr, package: `prepay_id=${prepayId}` }
    const paySign = this.#wire.keys.sign(params.appId, timeStamp, nonceStr, params.package)
    return { handOver: { ...params, signType: 'RSA', paySign } }
  }

  #merchant(): Record<string, string> {
    const { merchantNo, subMerchantNo } = this.#setting
    return subMerchantNo === undefined ? { mchid: merchantNo } : { sp_mchid: merchantNo, sub_mchid: subMerchantNo }
  }
  #sub(): Record<string, string> {
    const { subMerchantNo } = this.#setting
    return subMerchantNo === undefined ? {} : { sub_mchid: subMerchantNo }
  }
  #merchantNo = () => this.#setting.subMerchantNo ?? this.#setting.merchantNo
}

type Refused = Extract<Answer<object>, { result: 'refused' }>

/** Without trades the bill is empty; a bill that does not exist yet is unknown. */
function withoutBill(refused: Refused): Answer<{ lines: BillLine[] }> {
  if (spelled(refused.code) === 'NOSTATEMENTEXIST') return { result: 'done', lines: [] }
  return spelled(refused.code) === 'STATEMENTCREATING'
    ? { result: 'unknown', why: 'the bill is not made yet' }
    : refused
}

/** WeChat's JSON has fen as numbers. A number beyond the safe integers is a programming error. */
function wireFen(fen: bigint): number {
  if (fen <= 0n || fen > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError('the amount is out of range')
  return Number(fen)
}
