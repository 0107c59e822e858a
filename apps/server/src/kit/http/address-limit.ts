import { callerOf } from './address.ts'
import { Refusal } from './refusal.ts'

/**
 * So many calls a minute, and a second, from one address, counted in the memory of this process: a row in the database for
 * each call would cost more than the call, and callers in a flood would wait for each other's row.
 */
export class AddressLimit {
  readonly #minute: Span
  readonly #second: Span
  constructor(perMinute: number, perSecond = Number.POSITIVE_INFINITY) {
    this.#minute = new Span(60_000, perMinute)
    this.#second = new Span(1000, perSecond)
  }

  /** Counts one more; beyond the limit it is refused. */
  count(ip: string): void {
    const caller = callerOf(ip)
    this.#second.add(caller)
    // What is too much for this second does not use up the minute.
    if (!this.#second.isOver(caller)) this.#minute.add(caller)
    this.check(ip)
  }

  /** Refuses who is beyond the limit, without counting. */
  check(ip: string): void {
    const caller = callerOf(ip)
    if (this.#minute.isOver(caller) || this.#second.isOver(caller))
      throw new Refusal(429, '操作过于频繁，请稍后再试', { retryAfterSeconds: 60, waits: true })
  }
}

/** Counts by caller. It forgets everybody when its time is over, so it cannot grow for long. */
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
