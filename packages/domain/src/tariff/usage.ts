/** What was metered of one charge. Times are milliseconds of the server's clock, energy is in 1/10000 kWh. */
export type Usage = {
  startMs: number
  endMs: number
  /** As the device counted, which may be less than lies between start and end. */
  durationS: number
  energyDwh: number
  /** Energy in each segment of the rules, counted by the device. It wins over samples and over the total. */
  segmentEnergyDwh?: readonly number[] | undefined
  /** Readings while it went on, in the order of time. */
  samples?: readonly Sample[] | undefined
  peakPowerDw?: number | undefined
  /** Counted by the device, for each band of the rules. */
  secondsPerBand?: readonly number[] | undefined
  /** How long the place was kept after the end. */
  occupiedMin?: number | undefined
}
/** Energy since the start of the charge; power in 0.1 W. */
export type Sample = { atMs: number; energyDwh: number; powerDw?: number | undefined }

export const usageLimits = {
  energyDwh: 100_000_000,
  durationS: 31 * 86_400,
  spanMs: 32 * 86_400_000,
  samples: 200_000,
  occupiedMin: 525_600,
  powerDw: 10_000_000,
} as const

const isCount = (value: number | undefined, max: number) =>
  value === undefined || (Number.isSafeInteger(value) && value >= 0 && value <= max)
const areCounts = (values: readonly number[] | undefined, most: number, max: number) =>
  values === undefined || (values.length <= most && values.every((value) => isCount(value, max)))

/**
 * Why nobody may be billed by it; undefined when all is fine. Samples are not judged: one that makes no sense is left
 * out where energy is split.
 */
export function usageProblem(usage: Usage): string | undefined {
  const { startMs, endMs } = usage
  if (!Number.isSafeInteger(startMs) || !Number.isSafeInteger(endMs)) return 'a time is no integer'
  if (endMs < startMs) return 'it ends before it starts'
  if (endMs - startMs > usageLimits.spanMs) return 'it lasts too long'
  if (!isCount(usage.durationS, usageLimits.durationS)) return 'the duration is out of range'
  if (!isCount(usage.energyDwh, usageLimits.energyDwh)) return 'the energy is out of range'
  if (!isCount(usage.peakPowerDw, usageLimits.powerDw)) return 'the peak power is out of range'
  if (!isCount(usage.occupiedMin, usageLimits.occupiedMin)) return 'the occupied time is out of range'
  if (!areCounts(usage.segmentEnergyDwh, 12, usageLimits.energyDwh)) return 'the energy of a segment is out of range'
  if (!areCounts(usage.secondsPerBand, 8, usageLimits.durationS)) return 'the time of a band is out of range'
  if ((usage.samples?.length ?? 0) > usageLimits.samples) return 'there are too many samples'
  return undefined
}
