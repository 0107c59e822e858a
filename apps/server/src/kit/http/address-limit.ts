import { callerOf } from './address.ts'
import { Refusal } from './refusal.ts'

/**
 * So many calls a minute from one address, counted in the memory of this process: a row in the database for each call
 * would cost more than the call, and callers in a flood would wait for each other's row.
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
    const caller = callerOf(ip)
    const counts = this.#now()
    counts.set(caller, (counts.get(caller) ?? 0) + 1)
    this.check(ip)
  }

  /** Refuses who is beyond the limit, without counting. */
  check(ip: string): void {
    if ((this.#now().get(callerOf(ip)) ?? 0) > this.#perMinute)
      throw new Refusal(429, '操作过于频繁，请稍后再试', { retryAfterSeconds: 60 })
  }

  #now(): Map<string, number> {
    const minute = Math.floor(Date.now() / 60_000)
    if (minute !== this.#minute) {
      this.#minute = minute
      this.#counts = new Map()
    }
    return this.#counts
  }
}
