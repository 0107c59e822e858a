/** Fault profile of the network and the provider. The defaults have no faults. */
export type Faults = {
  /** Delay of each answer. */
  slowMs: number
  /** Answers 503 without processing. */
  busy: boolean
  /** Answers with a signed throttling error without processing. */
  throttle: boolean
  /** Drops the connection without processing. */
  vanish: boolean
  /** Processes the request, then drops the connection. */
  loseReply: boolean
  unsigned: boolean
  /** Signs answers with a foreign key under the id of the provider's key. */
  forgeReply: boolean
  /** Refunds stay in progress until the control API settles them. */
  holdRefunds: boolean
  /** Bill files are truncated. */
  spoilBills: boolean
  /** Base URL of bill downloads; '' is the sandbox itself. */
  billsAt: string
  loseNotices: boolean
  noticeCopies: number
  noticeDelayMs: number
  /** Notices are held in pairs and sent in reverse order. */
  reorderNotices: boolean
  forgeNotices: boolean
  /** Added to the amount of a notice, under a valid signature. */
  noticeFenDelta: number
  /** Age of the timestamp of a notice. */
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

/** Global faults, overridden per merchant. */
export class FaultBook {
  #everybody: Partial<Faults> = {}
  readonly #merchants = new Map<string, Partial<Faults>>()

  of(merchantNo: string | undefined): Faults {
    return { ...goodDay, ...this.#everybody, ...this.#merchants.get(merchantNo ?? '') }
  }

  /** Replaces the previous faults; `{}` removes them. */
  set(faults: Partial<Faults>, merchantNo?: string): void {
    if (merchantNo === undefined) this.#everybody = faults
    else this.#merchants.set(merchantNo, faults)
  }
}
