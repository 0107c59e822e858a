import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Refusals that are told late. A program that calls again as soon as it is answered calls once in this time on each of its
 * connections, instead of thousands of times: refusing at once would cost as much as the flood can send.
 */
export class HeldRefusals {
  readonly #waitMs: number
  readonly #most: number
  #held = 0
  constructor(waitMs: number, most = 1000) {
    this.#waitMs = waitMs
    this.#most = most
  }

  /** False where so many wait already that this one is not answered at all. */
  async hold(): Promise<boolean> {
    if (this.#waitMs === 0) return true
    if (this.#held >= this.#most) return false
    this.#held++
    try {
      await sleep(this.#waitMs)
      return true
    } finally {
      this.#held--
    }
  }
}
