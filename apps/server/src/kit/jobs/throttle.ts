type Beat = { timer: NodeJS.Timeout; waiting: (() => void) | undefined }

/**
 * Throttles calls per key. The first call runs at once. Of the calls within the interval only the last runs, at its end.
 */
export class Throttle {
  readonly #intervalMs: number
  readonly #beats = new Map<string, Beat>()

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs
  }

  run(key: string, act: () => void): void {
    const beat = this.#beats.get(key)
    if (beat === undefined) {
      this.#rest(key)
      act()
    } else beat.waiting = act
  }

  stop(): void {
    for (const { timer } of this.#beats.values()) clearTimeout(timer)
    this.#beats.clear()
  }

  #rest(key: string): void {
    const timer = setTimeout(() => {
      const waiting = this.#beats.get(key)?.waiting
      this.#beats.delete(key)
      if (waiting === undefined) return
      this.#rest(key)
      waiting()
    }, this.#intervalMs).unref()
    this.#beats.set(key, { timer, waiting: undefined })
  }
}
