import type { Answer, Provider } from './provider.ts'

export type BreakerSetting = {
  /** So many unknowns in a row, and nobody is asked for a while. */
  after: number
  /** The first pause is short: with many asking at once, one lost moment of the network is enough to open it. */
  pauseMs: number
  /** Twice as long each time it was not better. */
  longestMs: number
}
/** `halfOpen`: the pause is over, and one question is on its way to see whether it is better. */
export type Standing = { state: 'closed' | 'open' | 'halfOpen'; unknowns: number; openedAt: Date | undefined }

const usual: BreakerSetting = { after: 5, pauseMs: 1000, longestMs: 15_000 }

/** Counts what one provider leaves unanswered for one merchant, and spares both the wait while it goes on. */
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

  /** Nobody is asked now: it is too early, or one is asking to see whether it is better. */
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
      // What was on its way when it opened does not lengthen the pause.
    } else if (first) this.#pauseMs = Math.min(this.#pauseMs * 2, longestMs)
    else return
    this.#openedAt = Date.now()
  }
}

/** One for each provider and merchant, for as long as the process lives, however often keys change. */
export class Breakers {
  readonly #all = new Map<string, Breaker>()
  readonly #setting: BreakerSetting | undefined

  constructor(setting?: BreakerSetting) {
    this.#setting = setting
  }

  of(provider: string, merchantNo: string): Breaker {
    const name = `${provider}/${merchantNo}`
    const known = this.#all.get(name) ?? new Breaker(this.#setting)
    this.#all.set(name, known)
    return known
  }

  /** By `provider/merchantNo`. */
  standings(): Map<string, Standing> {
    return new Map([...this.#all].map(([name, breaker]) => [name, breaker.standing()]))
  }
}

/** The same provider behind a breaker. Notices come by themselves and are always read. */
export const guarded = (provider: Provider, breaker: Breaker): Provider => ({
  pay: (ask) => breaker.guard(() => provider.pay(ask)),
  query: (payNo) => breaker.guard(() => provider.query(payNo)),
  close: (payNo) => breaker.guard(() => provider.close(payNo)),
  refund: (ask) => breaker.guard(() => provider.refund(ask)),
  queryRefund: (ask) => breaker.guard(() => provider.queryRefund(ask)),
  bill: (day) => breaker.guard(() => provider.bill(day)),
  readNotice: (head, body) => provider.readNotice(head, body),
})
