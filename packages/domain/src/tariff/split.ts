import { dayMinutes, type PowerBand, type Segment } from './rules.ts'
import type { Sample, Usage } from './usage.ts'

const minuteMs = 60_000
const dayMs = dayMinutes * minuteMs
/** Asia/Shanghai, which has been eight hours ahead all year round since 1991. */
const zoneMs = 8 * 3_600_000

const timeOfDayMs = (atMs: number) => (((atMs + zoneMs) % dayMs) + dayMs) % dayMs

/**
 * Apportions an integer by weights (Webster's method): each share is rounded, then the shares nearest to the next half
 * compensate for the difference. No share falls when the total grows, unlike with largest remainders. Without weights
 * the first share gets everything.
 */
export function shareOut(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0)
  if (sum === 0) return weights.map((_, at) => (at === 0 ? total : 0))
  if (weights.includes(sum)) return weights.map((weight) => (weight === sum ? total : 0))
  // Energy times milliseconds exceeds a safe JavaScript integer.
  const whole = BigInt(total)
  const all = BigInt(sum)
  const shares = weights.map((weight) => ({
    weight: BigInt(weight),
    share: (2n * whole * BigInt(weight) + all) / (2n * all),
  }))
  let missing = shares.reduce((rest, { share }) => rest - share, whole)
  for (; missing > 0n; missing--) {
    const next = shares
      .filter(({ weight }) => weight > 0n)
      .reduce((a, b) => ((2n * b.share + 1n) * a.weight < (2n * a.share + 1n) * b.weight ? b : a))
    next.share++
  }
  for (; missing < 0n; missing++) {
    const next = shares
      .filter(({ share }) => share > 0n)
      .reduce((a, b) => ((2n * b.share - 1n) * a.weight >= (2n * a.share - 1n) * b.weight ? b : a))
    next.share--
  }
  return shares.map(({ share }) => Number(share))
}

const segmentAt = (segments: readonly Segment[], atMs: number) => {
  const minute = timeOfDayMs(atMs) / minuteMs
  return segments.findIndex(({ fromMin, toMin }) => minute >= fromMin && minute < toMin)
}

/** The milliseconds of a time span in each segment of the day, across midnight and several days. */
export function timeInSegments(segments: readonly Segment[], fromMs: number, toMs: number): number[] {
  const inEach = segments.map(() => 0)
  let at = fromMs
  while (at < toMs) {
    const place = segmentAt(segments, at)
    const segment = segments[place]
    if (segment === undefined) throw new RangeError('the segments have a gap')
    const end = Math.min(toMs, at - timeOfDayMs(at) + segment.toMin * minuteMs)
    inEach[place] = (inEach[place] ?? 0) + end - at
    at = end
  }
  return inEach
}

/** Valid readings: in ascending time, within the charge, not decreasing, and at most the total. */
function usefulReadings({ startMs, endMs, energyDwh, samples = [] }: Usage): Sample[] {
  const useful: Sample[] = []
  let [lastMs, lastDwh] = [startMs, 0]
  for (const sample of samples) {
    const { atMs } = sample
    const inside = atMs > lastMs && atMs < endMs
    if (!inside || !(sample.energyDwh >= lastDwh) || !Number.isSafeInteger(sample.energyDwh + atMs)) continue
    ;[lastMs, lastDwh] = [atMs, Math.min(sample.energyDwh, energyDwh)]
    useful.push({ atMs, energyDwh: lastDwh, powerDw: sample.powerDw })
  }
  return useful
}

/** Counts by the segments or bands of other rules cannot be priced. */
function countedFor(places: readonly unknown[], counted: readonly number[]): number[] {
  if (counted.length !== places.length) throw new RangeError('usage: counted by other rules')
  return [...counted]
}

/**
 * The energy in each segment of the day. The counts of the device by segment take precedence. Otherwise the energy is
 * distributed evenly between two readings, or between start and end without readings. The parts add up to the total.
 */
export function splitEnergy(segments: readonly Segment[], usage: Usage): number[] {
  const { segmentEnergyDwh, startMs, endMs, energyDwh } = usage
  if (segmentEnergyDwh !== undefined) return countedFor(segments, segmentEnergyDwh)
  const inEach = segments.map(() => 0)
  let [fromMs, fromDwh] = [startMs, 0]
  for (const { atMs, energyDwh: readDwh } of [...usefulReadings(usage), { atMs: endMs, energyDwh }]) {
    const flowed = readDwh - fromDwh
    if (flowed > 0) addFlow(segments, inEach, { fromMs, toMs: atMs, flowed })
    ;[fromMs, fromDwh] = [atMs, readDwh]
  }
  return inEach
}

function addFlow(
  segments: readonly Segment[],
  inEach: number[],
  flow: { fromMs: number; toMs: number; flowed: number },
) {
  const { fromMs, toMs, flowed } = flow
  const place = segmentAt(segments, fromMs)
  const segment = segments[place]
  // Fast path: most readings are a minute apart and lie in one segment.
  if (segment !== undefined && timeOfDayMs(fromMs) + toMs - fromMs <= segment.toMin * minuteMs) {
    inEach[place] = (inEach[place] ?? 0) + flowed
    return
  }
  const shares = shareOut(flowed, timeInSegments(segments, fromMs, toMs))
  for (const [at, share] of shares.entries()) inEach[at] = (inEach[at] ?? 0) + share
}

/** The band of a power. Power above the last band belongs to the last band. */
export function bandOf(bands: readonly PowerBand[], powerDw: number): number {
  const place = bands.findIndex(({ maxWatt }) => powerDw <= maxWatt * 10)
  return place < 0 ? bands.length - 1 : place
}

/**
 * The peak power: as reported by the device, otherwise the highest sample, otherwise the mean of the whole charge. The
 * mean is never above the true peak, so it never costs the member more.
 */
export function peakPower({ peakPowerDw, samples = [], energyDwh, durationS }: Usage): {
  powerDw: number
  mean: boolean
} {
  if (peakPowerDw !== undefined) return { powerDw: peakPowerDw, mean: false }
  const highest = samples.reduce((most, { powerDw = 0 }) => Math.max(most, powerDw), 0)
  if (highest > 0) return { powerDw: highest, mean: false }
  // 0.1 Wh in one hour is 0.1 W.
  return { powerDw: durationS === 0 ? 0 : Math.floor((energyDwh * 3600) / durationS), mean: true }
}

/**
 * Seconds at each band. The counts of the device take precedence. Otherwise each sample's power applies until the next
 * sample, and the first one's also before it. Without samples the band of the peak power applies throughout.
 */
export function splitSeconds(bands: readonly PowerBand[], usage: Usage): number[] {
  const { secondsPerBand, durationS, endMs } = usage
  if (secondsPerBand !== undefined) return countedFor(bands, secondsPerBand)
  const inEach = bands.map(() => 0)
  const readings = usefulReadings(usage).filter(({ powerDw }) => powerDw !== undefined)
  if (readings.length === 0) {
    inEach[bandOf(bands, peakPower(usage).powerDw)] = durationS
    return inEach
  }
  let fromMs = usage.startMs
  for (const [at, { powerDw = 0 }] of readings.entries()) {
    const toMs = readings[at + 1]?.atMs ?? endMs
    const band = bandOf(bands, powerDw)
    inEach[band] = (inEach[band] ?? 0) + toMs - fromMs
    fromMs = toMs
  }
  return shareOut(durationS, inEach)
}
