/** What may go wrong on the way, and here. Everything off is a provider on a good day. */
export type Faults = {
  /** Answers come so much later. */
  slowMs: number
  /** Answers 503 and does nothing. */
  busy: boolean
  /** Says properly signed that it cannot just now, and does nothing. */
  throttle: boolean
  /** Drops the connection and does nothing. */
  vanish: boolean
  /** Does what was asked, then drops the connection. */
  loseReply: boolean
  unsigned: boolean
  /** Signs answers with a key that is not the provider's, under the name of the one that is. */
  forgeReply: boolean
  /** Refunds stay as they came until somebody settles them. */
  holdRefunds: boolean
  /** The file of a bill loses its end. */
  spoilBills: boolean
  /** Where bills are said to be, instead of here; '' is here. */
  billsAt: string
  loseNotices: boolean
  noticeCopies: number
  noticeDelayMs: number
  /** Notices wait for a second one, and leave in the other order. */
  reorderNotices: boolean
  forgeNotices: boolean
  /** Added to the amount a notice tells; it is signed properly all the same. */
  noticeFenDelta: number
  /** How old a notice says it is. */
  noticeAgeMs: number
}

const goodDay: Faults = {
  slowMs: 0,
  busy: false,
  throttle: false,
  vanish: false,
  loseReply: false,
  unsigned: false,
  forgeReply: false,
  holdRefunds: false,
  spoilBills: false,
  billsAt: '',
  loseNotices: false,
  noticeCopies: 1,
  noticeDelayMs: 0,
  reorderNotices: false,
  forgeNotices: false,
  noticeFenDelta: 0,
  noticeAgeMs: 0,
}

/** For everybody, and for one merchant on top of that. */
export class FaultBook {
  #everybody: Partial<Faults> = {}
  readonly #merchants = new Map<string, Partial<Faults>>()

  of(merchantNo: string | undefined): Faults {
    return { ...goodDay, ...this.#everybody, ...this.#merchants.get(merchantNo ?? '') }
  }

  /** Replaces what was said before: `{}` is a good day again. */
  set(faults: Partial<Faults>, merchantNo?: string): void {
    if (merchantNo === undefined) this.#everybody = faults
    else this.#merchants.set(merchantNo, faults)
  }
}
