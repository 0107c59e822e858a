import { price } from './price.ts'
import { dayMinutes, type TariffRules } from './rules.ts'
import { type Usage, usageLimits } from './usage.ts'

/**
 * Whether a charge that goes on has used up the money put aside for it. What is only due at its end (a minimum, a package,
 * a place that is kept) does not count. Time is bought in steps, so what was paid for may be used to its end: there the
 * money has run out when the next step has begun.
 */
export function runsOut(rules: TariffRules, usage: Usage, heldFen: bigint): boolean {
  const used = { ...rules, minFeeFen: 0, occupancy: null }
  const { totalFen } = price(used, usage)
  return rules.billingType === 1 ? totalFen > heldFen : totalFen >= heldFen && totalFen > 0n
}

/** Whether that could be, were every part of the charge at the dearest price there is: most charges need no closer look. */
export function mayRunOut(rules: TariffRules, usage: Usage, heldFen: bigint): boolean {
  return runsOut(dearest(rules), { ...usage, segmentEnergyDwh: undefined, secondsPerBand: undefined }, heldFen)
}

/**
 * How much energy and time the money lasts for in any case: whatever stays within both cannot run out, so nobody needs to
 * look. Prices by energy depend on nothing but the energy, all others on nothing but the time.
 */
export function safeUsage(rules: TariffRules, heldFen: bigint): { energyDwh: number; durationS: number } {
  const { energyDwh, durationS } = usageLimits
  const ends = (usage: { energyDwh: number; durationS: number }) =>
    mayRunOut(rules, { ...usage, startMs: 0, endMs: usage.durationS * 1000 }, heldFen)
  return rules.billingType === 0
    ? { energyDwh: largestBelow(energyDwh, (energy) => ends({ energyDwh: energy, durationS })), durationS }
    : { energyDwh, durationS: largestBelow(durationS, (seconds) => ends({ energyDwh, durationS: seconds })) }
}

/** The largest count for which it does not hold, where it holds for all larger ones; -1 where it holds for zero. */
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
