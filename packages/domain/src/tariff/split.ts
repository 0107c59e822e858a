import { dayMinutes, type PowerBand, type Segment } from './rules.ts'
import type { Sample, Usage } from './usage.ts'

const minuteMs = 60_000
const dayMs = dayMinutes * minuteMs
/** Asia/Shanghai, which has been eight hours ahead all year round since 1991. */
const zoneMs = 8 * 3_600_000

const timeOfDayMs = (atMs: number) => (((atMs + zoneMs) % dayMs) + dayMs) % dayMs

/**
 * Divides a whole number by weights into whole numbers that add up to it: each is rounded by itself, then those that lie
 * nearest to the next half make up for what is missing or too much (Webster). So no share falls when the total grows,
 * which largest remainders cannot promise. Without any weight the first gets it all.
 */
export function shareOut(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0)
  if (sum === 0) return weights.map((_, at) => (at === 0 ? total : 0))
  if (weights.includes(sum)) return weights.map((weight) => (weight === sum ? total : 0))
  // Energy times milliseconds is more than a JavaScript integer holds.
  const whole = BigInt(total)
  const all = BigInt(sum)
  const shares = weights.map((weight) => ({
    weight: BigInt(weight),
    share: (2n * whole * BigInt(weight) + all) / (2n * all),
  }))
  let missing = shares.reduce((left, { share }) => left - share, whole)
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

/** How many milliseconds of a span of time lie in each segment of the day, over midnight and over several days. */
export function timeInSegments(segments: readonly Segment[], fromMs: number, toMs: number): number[] {
  const inEach = segments.map(() => 0)
  let at = fromMs
  while (at < toMs) {
    const place = segmentAt(segments, at)
    const segment = segments[place]
    if (segment === undefined) throw new RangeError('the segments leave a gap')
    const end = Math.min(toMs, at - timeOfDayMs(at) + segment.toMin * minuteMs)
    inEach[place] = (inEach[place] ?? 0) + end - at
    at = end
  }
  return inEach
}

/** Readings that make sense: later than the one before, within the charge, and never less than before or than all. */
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

/** What was counted by other rules would be priced by chance. */
function countedFor(places: readonly unknown[], counted: readonly number[]): number[] {
  if (counted.length !== places.length) throw new RangeError('usage: it was counted by other rules')
  return [...counted]
}

/**
 * How much energy flowed in each segment of the day. What the device counted by segments wins. Otherwise it is taken to
 * have flowed evenly between two readings, and between start and end where there are none. The parts add up to the total.
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
  // Most readings are a minute apart and lie in one segment.
  if (segment !== undefined && timeOfDayMs(fromMs) + toMs - fromMs <= segment.toMin * minuteMs) {
    inEach[place] = (inEach[place] ?? 0) + flowed
    return
  }
  const shares = shareOut(flowed, timeInSegments(segments, fromMs, toMs))
  for (const [at, share] of shares.entries()) inEach[at] = (inEach[at] ?? 0) + share
}

/** The band of a power; beyond the last band it is the last. */
export function bandOf(bands: readonly PowerBand[], powerDw: number): number {
  const place = bands.findIndex(({ maxWatt }) => powerDw <= maxWatt * 10)
  return place < 0 ? bands.length - 1 : place
}

/**
 * The highest power that is known: what the device says, else the highest sample, else the mean of the whole charge,
 * which is never above the true peak and so never to the cost of the member.
 */
export function peakPower({ peakPowerDw, samples = [], energyDwh, durationS }: Usage): {
  powerDw: number
  mean: boolean
} {
  if (peakPowerDw !== undefined) return { powerDw: peakPowerDw, mean: false }
  const highest = samples.reduce((most, { powerDw = 0 }) => Math.max(most, powerDw), 0)
  if (highest > 0) return { powerDw: highest, mean: false }
  // 0.1 Wh in an hour are 0.1 W.
  return { powerDw: durationS === 0 ? 0 : Math.floor((energyDwh * 3600) / durationS), mean: true }
}

/**
 * Seconds at each band. What the device counted wins; else each sample's power holds until the next one, and the first
 * one's also before it; else the band of the highest power holds all the time.
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
