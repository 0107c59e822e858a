import { randomInt } from 'node:crypto'

export type ProviderName = 'wechat' | 'alipay'
export type Refund = {
  refundNo: string
  refundId: string
  fen: number
  reason: string
  notifyUrl: string | undefined
  state: 'PROCESSING' | 'SUCCESS' | 'CLOSED' | 'ABNORMAL'
  askedAt: Date
  doneAt: Date | undefined
}
export type Trade = {
  provider: ProviderName
  merchantNo: string
  subMerchantNo: string | undefined
  appId: string
  payNo: string
  transactionId: string
  fen: number
  title: string
  expiresAt: Date
  notifyUrl: string | undefined
  profitSharing: boolean
  way: 'code' | 'app'
  openId: string | undefined
  /** What a device shows or hands over; how the payer finds the trade. */
  handle: string
  state: 'NOTPAY' | 'SUCCESS' | 'CLOSED'
  /** Alipay knows nothing of a code before somebody has scanned it. */
  scanned: boolean
  askedAt: Date
  paidAt: Date | undefined
  payer: string | undefined
  refunds: Refund[]
}
export type Ordered = Pick<
  Trade,
  | 'provider'
  | 'merchantNo'
  | 'subMerchantNo'
  | 'appId'
  | 'payNo'
  | 'fen'
  | 'title'
  | 'expiresAt'
  | 'notifyUrl'
  | 'profitSharing'
  | 'way'
  | 'openId'
>
/** Our own name of a refusal; each protocol has its word for it. */
export type No =
  | 'other order'
  | 'paid'
  | 'closed'
  | 'expired'
  | 'absent'
  | 'not paid'
  | 'too much'
  | 'other total'
  | 'other refund'
  | 'too many'
export type Key = Pick<Trade, 'provider' | 'merchantNo' | 'subMerchantNo'>

const digits = (length: number) => Array.from({ length }, () => randomInt(10)).join('')
const maxRefunds = 50

/** Trades and what may be done with them, whatever the protocol. */
export class PaySimulator {
  readonly trades: Trade[] = []
  readonly #byNo = new Map<string, Trade>()
  readonly #byHandle = new Map<string, Trade>()

  order(asked: Ordered): Trade | No {
    const old = this.find(asked, asked.payNo)
    if (old !== undefined) return this.#again(old, asked)
    const day = new Date().toISOString().slice(0, 10).replaceAll('-', '')
    const transactionId =
      asked.provider === 'wechat' ? `42000${digits(5)}${day}${digits(10)}` : `${day}22001${digits(15)}`
    const trade: Trade = {
      ...asked,
      transactionId,
      handle: handleOf(asked, transactionId),
      state: 'NOTPAY',
      scanned: asked.way === 'app',
      askedAt: new Date(),
      paidAt: undefined,
      payer: undefined,
      refunds: [],
    }
    this.trades.push(trade)
    this.#byNo.set(keyOf(asked, asked.payNo), trade)
    this.#byHandle.set(trade.handle, trade)
    return trade
  }

  find(key: Key, payNo: string): Trade | undefined {
    return this.#byNo.get(keyOf(key, payNo))
  }
  byHandle(handle: string): Trade | undefined {
    return this.#byHandle.get(handle)
  }

  pay(trade: Trade, payer: string, at = new Date()): No | undefined {
    if (trade.state === 'SUCCESS') return 'paid'
    if (trade.state === 'CLOSED') return 'closed'
    if (trade.expiresAt.getTime() <= Date.now()) return 'expired'
    Object.assign(trade, { state: 'SUCCESS', scanned: true, paidAt: at, payer: trade.openId ?? payer })
    return undefined
  }

  close(trade: Trade): No | undefined {
    if (trade.state === 'NOTPAY') trade.state = 'CLOSED'
    return trade.state === 'SUCCESS' ? 'paid' : undefined
  }

  refund(
    trade: Trade,
    asked: Pick<Refund, 'refundNo' | 'fen' | 'reason' | 'notifyUrl'> & { ofFen: number | undefined },
    hold: boolean,
  ): Refund | No {
    const { ofFen, ...rest } = asked
    const old = trade.refunds.find(({ refundNo }) => refundNo === asked.refundNo)
    if (old !== undefined) return old.fen === asked.fen ? old : 'other refund'
    if (trade.state !== 'SUCCESS') return 'not paid'
    if (ofFen !== undefined && ofFen !== trade.fen) return 'other total'
    if (refunded(trade) + asked.fen > trade.fen) return 'too much'
    if (trade.refunds.length >= maxRefunds) return 'too many'
    const at = new Date()
    const refund: Refund = {
      ...rest,
      refundId: `503${digits(25)}`,
      state: hold ? 'PROCESSING' : 'SUCCESS',
      askedAt: at,
      doneAt: hold ? undefined : at,
    }
    trade.refunds.push(refund)
    return refund
  }

  #again(old: Trade, asked: Ordered): Trade | No {
    if (old.state === 'SUCCESS') return 'paid'
    if (old.state === 'CLOSED') return 'closed'
    return old.fen === asked.fen && old.way === asked.way && old.appId === asked.appId ? old : 'other order'
  }
}

/** All that went back or is on its way; a refund that was closed gave its amount free again. */
export const refunded = ({ refunds }: Trade) =>
  refunds.filter(({ state }) => state !== 'CLOSED').reduce((sum, { fen }) => sum + fen, 0)

const keyOf = ({ provider, merchantNo, subMerchantNo = '' }: Key, payNo: string) =>
  `${provider}/${merchantNo}/${subMerchantNo}/${payNo}`

function handleOf({ provider, way }: Ordered, transactionId: string): string {
  const token = digits(20)
  if (provider === 'alipay') return way === 'code' ? `https://qr.alipay.com/bax${token}` : transactionId
  return way === 'code' ? `weixin://wxpay/bizpayurl?pr=${token}` : `wx${token}`
}
