import { dayMinutes, type EnergyRules, type Period, type Segment, type TariffRules } from './rules.ts'
import { shareOut, timeInSegments } from './split.ts'

/** The price table of a YKC charger: four price pairs, and the pair that applies in each half hour of the day. */
export type YkcPriceTable = { prices: { energyYuanE5: number; serviceYuanE5: number }[]; periods: number[] }

export const ykcPairs = 4
export const halfHour = 30

/** The place of each period in the display of the charger. Another price goes into any free place. */
const placeOf: Readonly<Record<Period, number>> = { sharp: 0, peak: 1, flat: 2, valley: 3, deepValley: 3 }
const pairKey = ({ electricityE5, serviceE5 }: Segment) => `${electricityE5} ${serviceE5}`

export const distinctPairs = (segments: readonly Segment[]) => new Set(segments.map(pairKey)).size

/** The place of the price of each segment: the place of its period, otherwise the first free one. */
function places(segments: readonly Segment[]): number[] {
  const placeByPrice = new Map<string, number>()
  const isFree = (place: number) => ![...placeByPrice.values()].includes(place)
  for (const segment of segments)
    if (!placeByPrice.has(pairKey(segment)) && isFree(placeOf[segment.period]))
      placeByPrice.set(pairKey(segment), placeOf[segment.period])
  for (const segment of segments)
    if (!placeByPrice.has(pairKey(segment))) placeByPrice.set(pairKey(segment), [0, 1, 2, 3].find(isFree) ?? ykcPairs)
  return segments.map((segment) => placeByPrice.get(pairKey(segment)) ?? ykcPairs)
}

const fits = (rules: TariffRules): rules is EnergyRules =>
  rules.billingType === 0 &&
  distinctPairs(rules.segments) <= ykcPairs &&
  rules.segments.every(({ fromMin, toMin }) => fromMin % halfHour === 0 && toMin % halfHour === 0)

/** Undefined when a charger cannot represent the rules; protocolLimits gives the reason. */
export function ykcPriceTable(rules: TariffRules): YkcPriceTable | undefined {
  if (!fits(rules)) return undefined
  const { segments } = rules
  const placed = places(segments)
  const prices = [0, 1, 2, 3].map((place) => {
    // A place without a half hour is filled with an existing price of the tariff.
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
 * Maps the energy that a charger counted at each of its four prices to the segments of the rules. Segments with one
 * price share it by time, which does not change the amount. Undefined when energy was counted at a price outside the
 * rules: the charger had other prices, and a person must review the bill.
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
