import { doubtsOf } from './charge-doubts.ts'
import type { Sample } from './tariff/usage.ts'

/**
 * The last reading before the first that cannot be: one that fell, that shows more energy than the port can give, or that
 * is older than the charge. What came after it is not believed either, because nobody can say since when it is wrong.
 */
export function lastPlausible(samples: readonly Sample[], startMs: number, ratedW: number): Sample | undefined {
  let last: Sample | undefined
  for (const sample of samples) {
    const { atMs, energyDwh } = sample
    const durationS = Math.floor((atMs - startMs) / 1000)
    if (atMs < (last?.atMs ?? startMs)) return last
    if (doubtsOf({ energyDwh, durationS, elapsedS: durationS, ratedW, reportedDwh: last?.energyDwh }).length > 0)
      return last
    // Meters may step back by what they round; nobody pays less for it, and nobody more.
    last = { ...sample, energyDwh: Math.max(energyDwh, last?.energyDwh ?? 0) }
  }
  return last
}
