import { overloaded } from './refusal.ts'

/**
 * So many requests at once; beyond that the api says so at once, because making everybody wait would help nobody.
 * A request counts from when it has arrived whole, so that dribbled bodies cannot hold the places of others.
 */
export class Gate {
  readonly #max: number
  #inside = 0
  #watched = 0
  constructor(max: number) {
    this.#max = max
  }

  get isEmpty(): boolean {
    return this.#inside === 0 && this.#watched === 0
  }

  /** Takes no place, because bytes may take long to come and go; but a server that closes waits for it. */
  async watch<T>(work: () => Promise<T>): Promise<T> {
    this.#watched++
    try {
      return await work()
    } finally {
      this.#watched--
    }
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
