/** Reads again when something has changed: at once, and then at most once in a while, the last time never left out. */
export class Pacer<K extends string> {
  readonly #paceMs: number
  readonly #act: (kinds: ReadonlySet<K>) => boolean
  #waiting = new Set<K>()
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `act` answers false where it is still busy with what it was told before; then it is told again. */
  constructor(paceMs: number, act: (kinds: ReadonlySet<K>) => boolean) {
    this.#paceMs = paceMs
    this.#act = act
  }

  say(kind: K): void {
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
