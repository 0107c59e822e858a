import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Delays refusals of callers beyond their limit and of payment notices without a valid signature. The limit of notices is
 * high, because providers send many notices from few addresses. A client that retries at once then makes one call per delay
 * and connection, instead of thousands.
 */
export class RefusalDelay {
  readonly #delayMs: number
  readonly #most: number
  #waiting = 0
  constructor(delayMs: number, most = 1000) {
    this.#delayMs = delayMs
    this.#most = most
  }

  /** False when too many refusals are delayed already; the caller then drops the connection. */
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
