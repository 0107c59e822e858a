import { overloaded } from './refusal.ts'

/**
 * So many requests at once; beyond that the api says so at once, because making everybody wait would help nobody.
 * A request counts from when it has arrived whole, so that dribbled bodies cannot hold the places of others.
 */
export class Gate {
  readonly #max: number
  #inside = 0
  constructor(max: number) {
    this.#max = max
  }

  get isEmpty(): boolean {
    return this.#inside === 0
  }

  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inside >= this.#max) throw overloaded()
    this.#inside++
    try {
      return await work()
    } finally {
      this.#inside--
    }
  }
}
