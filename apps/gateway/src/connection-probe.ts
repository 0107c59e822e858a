/** Caches a positive result, so that repeated claims do not probe the device each time. */
const believedMs = 5000

/** Checks whether a device still uses its connection. Any frame after a probe counts as a response. */
export class ConnectionProbe {
  readonly #waitMs: number
  #pending: { promise: Promise<boolean>; end: (isAlive: boolean) => void } | undefined
  #aliveUntilMs = 0

  constructor(waitMs: number) {
    this.#waitMs = waitMs
  }

  /** `sendProbe` is called twice, because a device may lose a frame. */
  probe(sendProbe: () => void): Promise<boolean> {
    if (this.#aliveUntilMs > Date.now()) return Promise.resolve(true)
    if (this.#pending !== undefined) return this.#pending.promise
    const { promise, resolve } = Promise.withResolvers<boolean>()
    sendProbe()
    const again = setTimeout(sendProbe, this.#waitMs / 3)
    const deadline = setTimeout(() => this.fail(), this.#waitMs)
    const end = (isAlive: boolean) => {
      clearTimeout(again)
      clearTimeout(deadline)
      this.#pending = undefined
      if (isAlive) this.#aliveUntilMs = Date.now() + believedMs
      resolve(isAlive)
    }
    this.#pending = { promise, end }
    return promise
  }

  confirm(): void {
    this.#pending?.end(true)
  }

  /** The connection closed, or the wait timed out. */
  fail(): void {
    this.#pending?.end(false)
  }
}
