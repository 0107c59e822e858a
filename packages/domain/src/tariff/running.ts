import { price } from './price.ts'
import { dayMinutes, type TariffRules } from './rules.ts'
import type { Usage } from './usage.ts'

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
