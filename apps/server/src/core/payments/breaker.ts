import type { Answer, Provider } from './provider.ts'

export type BreakerSetting = {
  /** Unknown answers in a row that open the breaker. */
  after: number
  /** First pause. It is short, because with many parallel requests one network glitch is enough to open the breaker. */
  pauseMs: number
  /** Upper limit of the pause, which doubles after each failed trial request. */
  longestMs: number
}
/** `halfOpen`: the pause is over; one trial request may pass or is in flight. */
export type Standing = { state: 'closed' | 'open' | 'halfOpen'; unknowns: number; openedAt: Date | undefined }

const usual: BreakerSetting = { after: 5, pauseMs: 1000, longestMs: 15_000 }

/** Circuit breaker: counts unknown answers of one provider for one merchant and rejects requests while it is open. */
export class Breaker {
  readonly #setting: BreakerSetting
  #unknowns = 0
  #openedAt: number | undefined
  #pauseMs = 0
  #trying = false

  constructor(setting: BreakerSetting = usual) {
    this.#setting = setting
  }

  standing(): Standing {
    const openedAt = this.#openedAt === undefined ? undefined : new Date(this.#openedAt)
    const open = this.#trying || this.#isOver() ? 'halfOpen' : 'open'
    return { state: openedAt === undefined ? 'closed' : open, unknowns: this.#unknowns, openedAt }
  }

  /** Whether requests are rejected: the pause is running, or a trial request is in flight. */
  isOpen(): boolean {
    return this.#openedAt !== undefined && (this.#trying || !this.#isOver())
  }

  async guard<T>(ask: () => Promise<Answer<T>>): Promise<Answer<T>> {
    const first = this.#openedAt !== undefined
    if (this.isOpen()) return { result: 'unknown', why: 'nobody is asked for a while' }
    if (first) this.#trying = true
    try {
      const answer = await ask()
      if (answer.result === 'unknown') this.#countUnknown(first)
      else this.#close()
      return answer
    } finally {
      if (first) this.#trying = false
    }
  }

  #isOver(): boolean {
    return this.#openedAt !== undefined && Date.now() - this.#openedAt >= this.#pauseMs
  }

  #close(): void {
    this.#unknowns = 0
    this.#openedAt = undefined
  }

  #countUnknown(first: boolean): void {
    this.#unknowns++
    const { after, pauseMs, longestMs } = this.#setting
    if (this.#openedAt === undefined) {
      if (this.#unknowns < after) return
      this.#pauseMs = pauseMs
      // Requests that were in flight when the breaker opened do not lengthen the pause.
    } else if (first) this.#pauseMs = Math.min(this.#pauseMs * 2, longestMs)
    else return
    this.#openedAt = Date.now()
  }
}

/** One breaker per provider and merchant, for the lifetime of the process. A key change does not reset it. */
export class Breakers {
  readonly #all = new Map<string, Breaker>()
  readonly #setting: BreakerSetting | undefined

  constructor(setting?: BreakerSetting) {
    this.#setting = setting
  }

  of(provider: string, merchantNo: string): Breaker {
    const name = `${provider}/${merchantNo}`
    const breaker = this.#all.get(name) ?? new Breaker(this.#setting)
    this.#all.set(name, breaker)
    return breaker
  }

  /** By `provider/merchantNo`. */
  standings(): Map<string, Standing> {
    return new Map([...this.#all].map(([name, breaker]) => [name, breaker.standing()]))
  }
}

/** Wraps a provider in a circuit breaker. Notices need no request, so they are always read. */
export const guarded = (provider: Provider, breaker: Breaker): Provider => ({
  pay: (ask) => breaker.guard(() => provider.pay(ask)),
  query: (payNo) => breaker.guard(() => provider.query(payNo)),
  close: (payNo) => breaker.guard(() => provider.close(payNo)),
  refund: (ask) => breaker.guard(() => provider.refund(ask)),
  queryRefund: (ask) => breaker.guard(() => provider.queryRefund(ask)),
  bill: (day) => breaker.guard(() => provider.bill(day)),
  readNotice: (head, body) => provider.readNotice(head, body),
})
