/**
 * The common interface of payment providers. One instance serves one merchant. It has no access to tables or
 * transactions: callers use a provider between transactions, never inside one.
 *
 * Amounts are in fen. Numbers (`payNo`, `refundNo`) are ours and stable: they serve as idempotency keys at the provider.
 */
export type Answer<T> =
  | ({ result: 'done' } & T)
  /**
   * A verified refusal; a retry would be refused again. `absent`: the provider currently has no record under this number.
   * Either it never received the request, or (Alipay) the code was not scanned yet and can still be scanned until it
   * expires.
   */
  | { result: 'refused'; code: string; words: string; absent?: true }
  /** No answer, a late one, or an unverified one: the result is not known. Query again and assume nothing. */
  | { result: 'unknown'; why: string }

export type PayRequest = {
  payNo: string
  fen: bigint
  title: string
  /** After this time the payment is no longer possible. */
  expiresAt: Date
  notifyUrl: string
  /** `code`: any person can scan the code and pay. `app`: this person pays inside the provider's own app. */
  by: { way: 'code' } | { way: 'app'; openId: string }
}
/** Data for the payer's device: the text of a code, or the parameters that the page passes to the app. */
export type PayHandle = { codeUrl: string } | { handOver: Record<string, string> }

/** `refunded`: it was paid, and then refunded in part (WeChat) or in full (Alipay). */
type PaymentState = 'waiting' | 'paid' | 'closed' | 'refunded' | 'failed'
/**
 * A payment as the provider reports it. Merchant and app are the reported ones, to be compared with the request; in
 * partner mode the merchant is the sub-merchant.
 */
export type Payment = {
  payNo: string
  state: PaymentState
  /** Undefined before it is paid. */
  transactionId: string | undefined
  fen: bigint | undefined
  paidAt: Date | undefined
  payer: string | undefined
  merchantNo: string
  appId: string
}

export type ProviderRefundRequest = {
  payNo: string
  refundNo: string
  fen: bigint
  /** Amount of the whole payment. */
  ofFen: bigint
  reason: string
  /** Alipay sends refund notices to the address of the payment, so only `kind` identifies the subject of a notice. */
  notifyUrl: string
}
/** `abnormal`: the payer's account cannot receive the refund; staff must resolve it. */
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

/** One line of the provider's bill of a day. The fee is negative where the provider returned it. */
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
  pay(ask: PayRequest): Promise<Answer<{ handle: PayHandle }>>
  query(payNo: string): Promise<Answer<{ payment: Payment }>>
  /** Prevents the payment from now on. `refused` if it is already paid: query its state. */
  close(payNo: string): Promise<Answer<object>>
  refund(ask: ProviderRefundRequest): Promise<Answer<{ refunding: Refunding }>>
  queryRefund(ask: { refundNo: string; payNo: string }): Promise<Answer<{ refunding: Refunding }>>
  /**
   * The bill of a day in China time, 'YYYY-MM-DD'. The list is empty if nothing was traded or if the bill does not exist
   * yet: request it after 10:00 on the next day.
   */
  bill(day: string): Promise<Answer<{ lines: BillLine[] }>>
  /** Parses a notice whose signature over the raw bytes is valid; undefined for every other. */
  readNotice(head: NoticeHead, body: Buffer): Notice | undefined
}

/** The reply that acknowledges a notice. On any other reply the provider sends the notice again. */
export type NoticeReply = { status: number; type: string; body: string }
