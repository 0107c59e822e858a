import type { Bill } from './bill.ts'
import { price, type Terms } from './price.ts'
import type { TariffRules } from './rules.ts'
import type { Usage } from './usage.ts'

/** A hypothetical charge: constant power from a start for some minutes. */
export type Assumption = { startMs: number; minutes: number; powerW: number; occupiedMin?: number | undefined }

export function assumedUsage({ startMs, minutes, powerW, occupiedMin }: Assumption): Usage {
  return {
    startMs,
    endMs: startMs + minutes * 60_000,
    durationS: minutes * 60,
    // A watt for a minute is a sixth of 0.1 Wh.
    energyDwh: Math.round((powerW * minutes) / 6),
    peakPowerDw: powerW * 10,
    occupiedMin,
  }
}

/** The cost of an assumed charge, calculated by the billing function. */
export const estimate = (rules: TariffRules, assumption: Assumption, terms: Terms = {}): Bill =>
  price(rules, assumedUsage(assumption), terms)

export type PartSums = { electricityFen: bigint; serviceFen: bigint; occupancyFen: bigint; totalFen: bigint }
export type WhatIf = {
  count: number
  before: PartSums
  after: PartSums
  difference: PartSums
  dearer: number
  cheaper: number
}

const nothing = (): PartSums => ({ electricityFen: 0n, serviceFen: 0n, occupancyFen: 0n, totalFen: 0n })

function add(to: PartSums, { electricityFen, serviceFen, occupancyFen, totalFen }: PartSums): void {
  to.electricityFen += electricityFen
  to.serviceFen += serviceFen
  to.occupancyFen += occupancyFen
  to.totalFen += totalFen
}

const edges = (rules: TariffRules) =>
  JSON.stringify([
    rules.billingType,
    rules.billingType === 0 && rules.segments.map(({ toMin }) => toMin),
    rules.billingType === 2 && rules.bands.map(({ maxWatt }) => maxWatt),
  ])

/**
 * The cost of the same charges under other rules. Reserved money is ignored, because a dearer tariff would have
 * reserved more. Device counts by segment or band are invalid under other segments or bands. Both sides are then split
 * anew, so the difference depends only on prices.
 */
export function whatIf(before: TariffRules, after: TariffRules, usages: Iterable<Usage>): WhatIf {
  const sums = { before: nothing(), after: nothing() }
  let [count, dearer, cheaper] = [0, 0, 0]
  const alike = edges(before) === edges(after)
  for (const metered of usages) {
    const usage = alike ? metered : { ...metered, segmentEnergyDwh: undefined, secondsPerBand: undefined }
    const [one, other] = [price(before, usage), price(after, usage)]
    add(sums.before, one)
    add(sums.after, other)
    count++
    if (other.totalFen > one.totalFen) dearer++
    if (other.totalFen < one.totalFen) cheaper++
  }
  const difference = {
    electricityFen: sums.after.electricityFen - sums.before.electricityFen,
    serviceFen: sums.after.serviceFen - sums.before.serviceFen,
    occupancyFen: sums.after.occupancyFen - sums.before.occupancyFen,
    totalFen: sums.after.totalFen - sums.before.totalFen,
  }
  return { count, ...sums, difference, dearer, cheaper }
}
