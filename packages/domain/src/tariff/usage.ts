/** The metered usage of one charge. Times are milliseconds of the server's clock, energy is in 1/10000 kWh. */
export type Usage = {
  startMs: number
  endMs: number
  /** As counted by the device; may be shorter than the time between start and end. */
  durationS: number
  energyDwh: number
  /** Energy in each segment of the rules, counted by the device. It takes precedence over samples and the total. */
  segmentEnergyDwh?: readonly number[] | undefined
  /** Readings during the charge, in order of time. */
  samples?: readonly Sample[] | undefined
  peakPowerDw?: number | undefined
  /** Counted by the device, for each band of the rules. */
  secondsPerBand?: readonly number[] | undefined
  /** The time the place stayed occupied after the end. */
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
 * Why the usage cannot be billed; undefined when it is valid. Samples are not validated: splitting the energy ignores
 * implausible ones.
 */
export function usageProblem(usage: Usage): string | undefined {
  const { startMs, endMs } = usage
  if (!Number.isSafeInteger(startMs) || !Number.isSafeInteger(endMs)) return 'a time is not an integer'
  if (endMs < startMs) return 'the end is before the start'
  if (endMs - startMs > usageLimits.spanMs) return 'the time span is too long'
  if (!isCount(usage.durationS, usageLimits.durationS)) return 'the duration is out of range'
  if (!isCount(usage.energyDwh, usageLimits.energyDwh)) return 'the energy is out of range'
  if (!isCount(usage.peakPowerDw, usageLimits.powerDw)) return 'the peak power is out of range'
  if (!isCount(usage.occupiedMin, usageLimits.occupiedMin)) return 'the occupied time is out of range'
  if (!areCounts(usage.segmentEnergyDwh, 12, usageLimits.energyDwh)) return 'the energy of a segment is out of range'
  if (!areCounts(usage.secondsPerBand, 8, usageLimits.durationS)) return 'the time of a band is out of range'
  if ((usage.samples?.length ?? 0) > usageLimits.samples) return 'there are too many samples'
  return undefined
}
