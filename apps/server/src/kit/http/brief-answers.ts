type Entry<T> = { answer: Promise<T>; until: number }

const mostKeys = 5000

/** A short-lived cache by key. Concurrent callers, and callers within the interval, share one fetch. */
export class ShortLivedCache<T> {
  readonly #keepMs: number
  readonly #kept = new Map<string, Entry<T>>()

  constructor(keepMs: number) {
    this.#keepMs = keepMs
  }

  get(key: string, ask: () => Promise<T>): Promise<T> {
    const entry = this.#kept.get(key)
    if (entry !== undefined && entry.until > Date.now()) return entry.answer
    if (this.#kept.size >= mostKeys) this.#kept.clear()
    const answer = ask()
    this.#kept.set(key, { answer, until: Date.now() + this.#keepMs })
    // A failure is not cached: the next caller fetches again.
    answer.catch(() => this.#kept.delete(key))
    return answer
  }
}
