type Kept<T> = { answer: Promise<T>; until: number }

const mostKeys = 5000

/** A cache by key for a short time. Callers that ask at once, or within that time, share one question. */
export class BriefAnswers<T> {
  readonly #keepMs: number
  readonly #kept = new Map<string, Kept<T>>()

  constructor(keepMs: number) {
    this.#keepMs = keepMs
  }

  get(key: string, ask: () => Promise<T>): Promise<T> {
    const kept = this.#kept.get(key)
    if (kept !== undefined && kept.until > Date.now()) return kept.answer
    if (this.#kept.size >= mostKeys) this.#kept.clear()
    const answer = ask()
    this.#kept.set(key, { answer, until: Date.now() + this.#keepMs })
    // A failure is not kept: the next caller asks again.
    answer.catch(() => this.#kept.delete(key))
    return answer
  }
}
