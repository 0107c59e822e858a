/** A throttle with a trailing call: acts at once, then at most once per interval, and never drops the last change. */
export class Pacer<K extends string> {
  readonly #paceMs: number
  readonly #act: (kinds: ReadonlySet<K>) => boolean
  #waiting = new Set<K>()
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `act` returns false while the previous call is pending; it is then called again. */
  constructor(paceMs: number, act: (kinds: ReadonlySet<K>) => boolean) {
    this.#paceMs = paceMs
    this.#act = act
  }

  publish(kind: K): void {
    this.#waiting.add(kind)
    if (this.#timer === undefined) this.#go()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#waiting.clear()
  }

  #go(): void {
    this.#timer = undefined
    if (this.#waiting.size === 0) return
    const done = this.#act(this.#waiting)
    if (done) this.#waiting = new Set()
    this.#timer = setTimeout(() => this.#go(), done ? this.#paceMs : this.#paceMs / 5)
  }
}
