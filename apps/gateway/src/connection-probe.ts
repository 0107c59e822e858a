/** An answer is believed for this long, so that claims in a row do not make a device answer in a row. */
const believedMs = 5000

/** Whether a device is still on its line: anything that it says after a question is an answer. */
export class ConnectionProbe {
  readonly #waitMs: number
  #asking: { promise: Promise<boolean>; end: (isAlive: boolean) => void } | undefined
  #aliveUntilMs = 0

  constructor(waitMs: number) {
    this.#waitMs = waitMs
  }

  /** `ask` sends a question; it is sent twice, because a device may lose one. */
  ask(ask: () => void): Promise<boolean> {
    if (this.#aliveUntilMs > Date.now()) return Promise.resolve(true)
    if (this.#asking !== undefined) return this.#asking.promise
    const { promise, resolve } = Promise.withResolvers<boolean>()
    ask()
    const again = setTimeout(ask, this.#waitMs / 3)
    const deadline = setTimeout(() => this.lost(), this.#waitMs)
    const end = (isAlive: boolean) => {
      clearTimeout(again)
      clearTimeout(deadline)
      this.#asking = undefined
      if (isAlive) this.#aliveUntilMs = Date.now() + believedMs
      resolve(isAlive)
    }
    this.#asking = { promise, end }
    return promise
  }

  heard(): void {
    this.#asking?.end(true)
  }

  /** The line is gone, or nothing was heard in time. */
  lost(): void {
    this.#asking?.end(false)
  }
}
