import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Delays refusals of callers beyond their limit and of payment notices without a valid signature: providers send many notices
 * from few addresses, so the limit of notices is high. A program that calls again as soon as it is answered then calls once per delay on each of its
 * connections instead of thousands of times: an immediate refusal would cost as much as the flood can send.
 */
export class RefusalDelay {
  readonly #delayMs: number
  readonly #most: number
  #waiting = 0
  constructor(delayMs: number, most = 1000) {
    this.#delayMs = delayMs
    this.#most = most
  }

  /** False where so many wait already that this one is not answered at all. */
  async wait(): Promise<boolean> {
    if (this.#delayMs === 0) return true
    if (this.#waiting >= this.#most) return false
    this.#waiting++
    try {
      await sleep(this.#delayMs)
      return true
    } finally {
      this.#waiting--
    }
  }
}
