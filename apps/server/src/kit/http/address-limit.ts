import { callerOf } from './address.ts'
import { Refusal } from './refusal.ts'

/**
 * Rate limit per address, by minute and second, counted in the memory of this process. A database row for each call would
 * cost more than the call, and callers in a flood would wait for row locks.
 */
export class AddressLimit {
  readonly #minute: Span
  readonly #second: Span
  constructor(perMinute: number, perSecond = Number.POSITIVE_INFINITY) {
    this.#minute = new Span(60_000, perMinute)
    this.#second = new Span(1000, perSecond)
  }

  /** Counts a call and refuses it beyond the limit. */
  count(ip: string): void {
    const caller = callerOf(ip)
    this.#second.add(caller)
    // A call refused by the limit per second does not count towards the minute.
    if (!this.#second.isOver(caller)) this.#minute.add(caller)
    this.check(ip)
  }

  /** Refuses a caller beyond the limit without counting the call. */
  check(ip: string): void {
    const caller = callerOf(ip)
    if (this.#minute.isOver(caller) || this.#second.isOver(caller))
      throw new Refusal(429, '操作过于频繁，请稍后再试', { retryAfterSeconds: 60, waits: true })
  }
}

/** Counters by caller for one interval. They are cleared at its end, which bounds the memory. */
class Span {
  readonly #lengthMs: number
  readonly #most: number
  #number = 0
  #counts = new Map<string, number>()
  constructor(lengthMs: number, most: number) {
    this.#lengthMs = lengthMs
    this.#most = most
  }

  add(caller: string): void {
    const counts = this.#now()
    counts.set(caller, (counts.get(caller) ?? 0) + 1)
  }

  isOver(caller: string): boolean {
    return (this.#now().get(caller) ?? 0) > this.#most
  }

  #now(): Map<string, number> {
    const number = Math.floor(Date.now() / this.#lengthMs)
    if (number !== this.#number) {
      this.#number = number
      this.#counts = new Map()
    }
    return this.#counts
  }
}
