import { overloaded } from '../http/refusal.ts'

/** Semaphore for expensive work, with a bounded queue. Beyond the queue a call is refused as overloaded (backpressure). */
export class Semaphore {
  readonly #atOnce: number
  readonly #mayWait: number
  readonly #waiting: (() => void)[] = []
  #running = 0
  constructor(atOnce: number, mayWait: number) {
    this.#atOnce = atOnce
    this.#mayWait = mayWait
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#atOnce) {
      if (this.#waiting.length >= this.#mayWait) throw overloaded()
      await new Promise<void>((resume) => this.#waiting.push(resume))
    } else this.#running++
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#running--
      else next()
    }
  }
}
