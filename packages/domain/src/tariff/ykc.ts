import { dayMinutes, type EnergyRules, type Period, type Segment, type TariffRules } from './rules.ts'
import { shareOut, timeInSegments } from './split.ts'

/** What a YKC pile is told of prices: four pairs, and which of them holds in each half hour of the day. */
export type YkcPriceTable = { prices: { energyYuanE5: number; serviceYuanE5: number }[]; periods: number[] }

export const ykcPairs = 4
export const halfHour = 30

/** A pile shows its four prices by these names. A fifth name takes whatever place is free. */
const placeOf: Readonly<Record<Period, number>> = { sharp: 0, peak: 1, flat: 2, valley: 3, deepValley: 3 }
const pairKey = ({ electricityE5, serviceE5 }: Segment) => `${electricityE5} ${serviceE5}`

export const distinctPairs = (segments: readonly Segment[]) => new Set(segments.map(pairKey)).size

/** Which of the four places the price of each segment has: that of its name, or the first that is free. */
function places(segments: readonly Segment[]): number[] {
  const taken = new Map<string, number>()
  const isFree = (place: number) => ![...taken.values()].includes(place)
  for (const segment of segments)
    if (!taken.has(pairKey(segment)) && isFree(placeOf[segment.period]))
      taken.set(pairKey(segment), placeOf[segment.period])
  for (const segment of segments)
    if (!taken.has(pairKey(segment))) taken.set(pairKey(segment), [0, 1, 2, 3].find(isFree) ?? ykcPairs)
  return segments.map((segment) => taken.get(pairKey(segment)) ?? ykcPairs)
}

const fits = (rules: TariffRules): rules is EnergyRules =>
  rules.billingType === 0 &&
  distinctPairs(rules.segments) <= ykcPairs &&
  rules.segments.every(({ fromMin, toMin }) => fromMin % halfHour === 0 && toMin % halfHour === 0)

/** Undefined where the rules are more than a pile can be told; protocolLimits says why. */
export function ykcPriceTable(rules: TariffRules): YkcPriceTable | undefined {
  if (!fits(rules)) return undefined
  const { segments } = rules
  const placed = places(segments)
  const prices = [0, 1, 2, 3].map((place) => {
    // A place that no half hour names is filled with a price that the tariff has.
    const { electricityE5 = 0, serviceE5 = 0 } = segments[Math.max(0, placed.indexOf(place))] ?? {}
    return { energyYuanE5: electricityE5, serviceYuanE5: serviceE5 }
  })
  const periods = Array.from({ length: dayMinutes / halfHour }, (_, at) => {
    const minute = at * halfHour
    return placed[segments.findIndex(({ fromMin, toMin }) => minute >= fromMin && minute < toMin)] ?? 0
  })
  return { prices, periods }
}

/**
 * What a pile counted at each of its four prices, as energy in each segment of the rules. Segments of one price share it
 * by time, which changes no amount. Undefined where energy was counted at a price that the rules do not have: the pile
 * had others, and a person should look.
 */
export function ykcSegmentEnergy(
  rules: TariffRules,
  { startMs, endMs }: { startMs: number; endMs: number },
  byPriceDwh: readonly number[],
): number[] | undefined {
  if (!fits(rules)) return undefined
  const { segments } = rules
  const placed = places(segments)
  if (byPriceDwh.some((energy, place) => energy !== 0 && !placed.includes(place))) return undefined
  const times = timeInSegments(segments, startMs, endMs)
  const inEach = segments.map(() => 0)
  for (const [place, energy] of byPriceDwh.entries()) {
    const at = [...placed.keys()].filter((segment) => placed[segment] === place)
    const shares = shareOut(
      energy,
      at.map((segment) => times[segment] ?? 0),
    )
    for (const [share, segment] of at.entries()) inEach[segment] = shares[share] ?? 0
  }
  return inEach
}
