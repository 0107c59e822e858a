import { setTimeout as sleep } from 'node:timers/promises'

/** Looks again and again until there is something to see; a thing that never happens is a failure. */
export async function until<T>(look: () => Promise<T | undefined>, ms = 8000): Promise<T> {
  const end = Date.now() + ms
  while (Date.now() < end) {
    const seen = await look()
    if (seen !== undefined) return seen
    await sleep(50)
  }
  throw new Error('it did not happen in time')
}
