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
  /** The code or prepay id by which the payer finds the trade. */
  handle: string
  state: 'NOTPAY' | 'SUCCESS' | 'CLOSED'
  /** Alipay creates the trade only when the code is scanned. */
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
/** Internal refusal codes; each provider maps them to its own. */
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

/** Trades and their operations, independent of the provider's protocol. */
export class PaySimulator {
  readonly trades: Trade[] = []
  readonly #byNo = new Map<string, Trade>()
  readonly #byHandle = new Map<string, Trade>()

  order(request: Ordered): Trade | No {
    const old = this.find(request, request.payNo)
    if (old !== undefined) return this.#again(old, request)
    const day = new Date().toISOString().slice(0, 10).replaceAll('-', '')
    const transactionId =
      request.provider === 'wechat' ? `42000${digits(5)}${day}${digits(10)}` : `${day}22001${digits(15)}`
    const trade: Trade = {
      ...request,
      transactionId,
      handle: handleOf(request, transactionId),
      state: 'NOTPAY',
      scanned: request.way === 'app',
      askedAt: new Date(),
      paidAt: undefined,
      payer: undefined,
      refunds: [],
    }
    this.trades.push(trade)
    this.#byNo.set(keyOf(request, request.payNo), trade)
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
    request: Pick<Refund, 'refundNo' | 'fen' | 'reason' | 'notifyUrl'> & { ofFen: number | undefined },
    isPending: boolean,
  ): Refund | No {
    const { ofFen, ...rest } = request
    const old = trade.refunds.find(({ refundNo }) => refundNo === request.refundNo)
    if (old !== undefined) return old.fen === request.fen ? old : 'other refund'
    if (trade.state !== 'SUCCESS') return 'not paid'
    if (ofFen !== undefined && ofFen !== trade.fen) return 'other total'
    if (refunded(trade) + request.fen > trade.fen) return 'too much'
    if (trade.refunds.length >= maxRefunds) return 'too many'
    const at = new Date()
    const refund: Refund = {
      ...rest,
      refundId: `503${digits(25)}`,
      state: isPending ? 'PROCESSING' : 'SUCCESS',
      askedAt: at,
      doneAt: isPending ? undefined : at,
    }
    trade.refunds.push(refund)
    return refund
  }

  #again(old: Trade, request: Ordered): Trade | No {
    if (old.state === 'SUCCESS') return 'paid'
    if (old.state === 'CLOSED') return 'closed'
    return old.fen === request.fen && old.way === request.way && old.appId === request.appId ? old : 'other order'
  }
}

/** Total of finished and pending refunds; a closed refund releases its amount. */
export const refunded = ({ refunds }: Trade) =>
  refunds.filter(({ state }) => state !== 'CLOSED').reduce((sum, { fen }) => sum + fen, 0)

const keyOf = ({ provider, merchantNo, subMerchantNo = '' }: Key, payNo: string) =>
  `${provider}/${merchantNo}/${subMerchantNo}/${payNo}`

function handleOf({ provider, way }: Ordered, transactionId: string): string {
  const token = digits(20)
  if (provider === 'alipay') return way === 'code' ? `https://qr.alipay.com/bax${token}` : transactionId
  return way === 'code' ? `weixin://wxpay/bizpayurl?pr=${token}` : `wx${token}`
}
