/**
 * What every payment provider can do for us, in our own words. One instance speaks for one merchant. Nothing here knows
 * a table or a transaction: whoever calls a provider does it between transactions, never inside one.
 *
 * Amounts are fen. Numbers (`payNo`, `refundNo`) are ours and stable: asked twice, a provider does it once.
 */
export type Answer<T> =
  | ({ result: 'done' } & T)
  /**
   * The provider has said no, and the answer is proven to be the provider's. It will say no again. `absent`: it knows
   * nothing under this number, now: it was never asked, or (Alipay) nobody has scanned the code yet, and may still do so
   * until it expires.
   */
  | { result: 'refused'; code: string; words: string; absent?: true }
  /** No answer, a late one, or none that can be trusted: what happened there is not known. Ask again, assume nothing. */
  | { result: 'unknown'; why: string }

export type PayAsk = {
  payNo: string
  fen: bigint
  title: string
  /** From then on nobody can pay it any more. */
  expiresAt: Date
  notifyUrl: string
  /** `code`: anybody who scans it pays. `app`: this person pays inside the provider's own app. */
  by: { way: 'code' } | { way: 'app'; openId: string }
}
/** What the payer's device needs: the text of a code, or what the page inside the app hands over. */
export type PayHandle = { codeUrl: string } | { handOver: Record<string, string> }

/** `refunded`: it was paid, and some of it (WeChat) or all of it (Alipay) went back. */
type PaymentState = 'waiting' | 'paid' | 'closed' | 'refunded' | 'failed'
/**
 * What the provider says of a payment. The merchant and the app are what it said, to be compared with what we asked; in
 * partner mode the merchant is the one we act for.
 */
export type Payment = {
  payNo: string
  state: PaymentState
  /** None before it is paid. */
  transactionId: string | undefined
  fen: bigint | undefined
  paidAt: Date | undefined
  payer: string | undefined
  merchantNo: string
  appId: string
}

export type RefundAsk = {
  payNo: string
  refundNo: string
  fen: bigint
  /** The whole payment. */
  ofFen: bigint
  reason: string
  /** Alipay tells refunds at the address of the payment: what a notice is about is its `kind`, not where it came. */
  notifyUrl: string
}
/** `abnormal`: the payer's account cannot take it any more; a person must find another way. */
type RefundState = 'processing' | 'success' | 'closed' | 'abnormal'
export type Refunding = {
  refundNo: string
  payNo: string
  state: RefundState
  refundId: string | undefined
  fen: bigint | undefined
  refundedAt: Date | undefined
  merchantNo: string
}

export type Notice =
  | { id: string; kind: 'payment'; payment: Payment }
  | { id: string; kind: 'refund'; refunding: Refunding }

/** One line of the provider's bill of a day. The fee is what the provider kept (negative where it gave it back). */
export type BillLine = {
  kind: 'payment' | 'refund'
  payNo: string
  refundNo: string | undefined
  transactionId: string
  fen: bigint
  feeFen: bigint
  at: Date
}

export type NoticeHead = Record<string, string | undefined>

export type Provider = {
  pay(ask: PayAsk): Promise<Answer<{ handle: PayHandle }>>
  query(payNo: string): Promise<Answer<{ payment: Payment }>>
  /** Nobody can pay it from now on. `refused` where it is paid already: ask what became of it. */
  close(payNo: string): Promise<Answer<object>>
  refund(ask: RefundAsk): Promise<Answer<{ refunding: Refunding }>>
  queryRefund(ask: { refundNo: string; payNo: string }): Promise<Answer<{ refunding: Refunding }>>
  /**
   * The bill of a day of China's clock, 'YYYY-MM-DD'. An empty list where nothing was traded, or where it is not made yet:
   * ask after ten the next morning.
   */
  bill(day: string): Promise<Answer<{ lines: BillLine[] }>>
  /** A notice that is proven to be the provider's by the bytes as they came; undefined for every other. */
  readNotice(head: NoticeHead, body: Buffer): Notice | undefined
}

/** What the provider wants to hear. Anything else, and it says it again. */
export type NoticeReply = { status: number; type: string; body: string }
