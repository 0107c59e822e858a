import { setTimeout as sleep } from 'node:timers/promises'
import { atTier } from '../../../../tools/check/tier.ts'

/** A longer wait counts as a hang. The limit finds hangs; it asserts nothing about speed. */
export const hangMs = atTier(120_000, 900_000)

/** Polls until `look` returns a value. */
export async function until<T>(look: () => Promise<T | undefined> | T | undefined, everyMs = 20): Promise<T> {
  const end = Date.now() + hangMs
  while (Date.now() < end) {
    const seen = await look()
    if (seen !== undefined) return seen
    await sleep(everyMs)
  }
  throw new Error(`the awaited event did not happen: ${look.toString().slice(0, 300)}`)
}
