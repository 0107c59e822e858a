import { findDoubts } from './charge-doubts.ts'
import type { Sample } from './tariff/usage.ts'

/**
 * The last reading before the first implausible one: a reading that decreases, exceeds the energy the port can deliver,
 * or predates the charge. Later readings are ignored, because the time of the fault is unknown.
 */
export function lastPlausible(samples: readonly Sample[], startMs: number, ratedW: number): Sample | undefined {
  let last: Sample | undefined
  for (const sample of samples) {
    const { atMs, energyDwh } = sample
    const durationS = Math.floor((atMs - startMs) / 1000)
    if (atMs < (last?.atMs ?? startMs)) return last
    if (findDoubts({ energyDwh, durationS, elapsedS: durationS, ratedW, reportedDwh: last?.energyDwh }).length > 0)
      return last
    // Meters may step back within their rounding; the previous value is kept.
    last = { ...sample, energyDwh: Math.max(energyDwh, last?.energyDwh ?? 0) }
  }
  return last
}
