import type { Bill } from './bill.ts'
import { price, type Terms } from './price.ts'
import type { TariffRules } from './rules.ts'
import type { Usage } from './usage.ts'

/** A charge that has not happened: even power from a start for some minutes. */
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

/** What it would cost, by the function that makes the bill. */
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
 * What the same charges would have cost under other rules. Money held is left out: whoever would have paid more would
 * have held more. What a device counted by segments or bands means nothing under others; then both sides split anew, so
 * that the difference is one of prices only.
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
