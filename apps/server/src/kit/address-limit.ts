import { Refusal } from './refusal.ts'

/**
 * So many calls a minute from one address, counted in this process alone: for callers that are proven by what they send,
 * where a row for each call would cost more than the proof.
 */
export class AddressLimit {
  readonly #perMinute: number
  #minute = 0
  #counts = new Map<string, number>()
  constructor(perMinute: number) {
    this.#perMinute = perMinute
  }

  /** Counts one more; beyond the limit it is refused. The map forgets everybody each minute, so it cannot grow for long. */
  count(ip: string): void {
    const minute = Math.floor(Date.now() / 60_000)
    if (minute !== this.#minute) {
      this.#minute = minute
      this.#counts = new Map()
    }
    const count = (this.#counts.get(ip) ?? 0) + 1
    this.#counts.set(ip, count)
    if (count > this.#perMinute) throw new Refusal(429, '操作过于频繁，请稍后再试', { retryAfterSeconds: 60 })
  }
}
