import { type Benefit, certainBenefits, coveredUse } from './benefit.ts'
import { price } from './price.ts'
import { dayMinutes, type TariffRules } from './rules.ts'
import { type Usage, usageLimits } from './usage.ts'

/**
 * Whether a running charge has used up its reserved money. Fees that are due only at the end (a minimum, a package,
 * occupancy) do not count. Time is bought in steps, and a paid step may be used to its end. With a price by time the
 * money runs out when the next step begins.
 */
export function isExhausted(
  rules: TariffRules,
  usage: Usage,
  heldFen: bigint,
  benefits: readonly Benefit[] = [],
): boolean {
  const used = { ...rules, minFeeFen: 0, occupancy: null }
  const { totalFen } = price(used, usage, { benefits })
  return rules.billingType === 1 ? totalFen > heldFen : totalFen >= heldFen && totalFen > 0n
}

/** A cheap upper bound: prices the whole charge at the highest price. Most charges need no exact check. */
export function mayBeExhausted(
  rules: TariffRules,
  usage: Usage,
  heldFen: bigint,
  benefits: readonly Benefit[] = [],
): boolean {
  const summed = { ...usage, segmentEnergyDwh: undefined, secondsPerBand: undefined }
  return isExhausted(dearest(rules), summed, heldFen, certainBenefits(benefits))
}

/**
 * The energy and time that the money covers in any case. A charge within both cannot run out, so it needs no check.
 * Prices by energy depend only on energy, all others only on time.
 */
export function safeUsage(
  rules: TariffRules,
  heldFen: bigint,
  benefits: readonly Benefit[] = [],
): { energyDwh: number; durationS: number } {
  const { energyDwh, durationS } = usageLimits
  const covered = coveredUse(benefits)
  if (covered !== undefined) return { energyDwh, durationS, ...covered }
  const ends = (usage: { energyDwh: number; durationS: number }) =>
    mayBeExhausted(rules, { ...usage, startMs: 0, endMs: usage.durationS * 1000 }, heldFen, benefits)
  return rules.billingType === 0
    ? { energyDwh: largestBelow(energyDwh, (energy) => ends({ energyDwh: energy, durationS })), durationS }
    : { energyDwh, durationS: largestBelow(durationS, (seconds) => ends({ energyDwh, durationS: seconds })) }
}

/** The largest count for which the monotonic predicate is false; -1 when it is true for zero. */
function largestBelow(limit: number, holds: (count: number) => boolean): number {
  if (!holds(limit)) return limit
  let [below, from] = [-1, limit]
  while (from - below > 1) {
    const middle = Math.floor((below + from) / 2)
    if (holds(middle)) from = middle
    else below = middle
  }
  return below
}

function dearest(rules: TariffRules): TariffRules {
  if (rules.billingType === 0) {
    const electricityE5 = Math.max(...rules.segments.map((segment) => segment.electricityE5))
    const serviceE5 = Math.max(...rules.segments.map((segment) => segment.serviceE5))
    return { ...rules, segments: [{ fromMin: 0, toMin: dayMinutes, period: 'flat', electricityE5, serviceE5 }] }
  }
  if (rules.billingType === 1) return rules
  const priceE5 = Math.max(...rules.bands.map((band) => band.priceE5))
  return { ...rules, bands: rules.bands.map((band) => ({ ...band, priceE5 })) }
}
