import type { LabResult } from '@wattdeck/contract/product/tariff-lab.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import type { Benefit } from '@wattdeck/domain/tariff/benefit.ts'
import type { PartSums } from '@wattdeck/domain/tariff/estimate.ts'
import { addToTally, type LabSide, type LabTally, mostChanged, partsOf } from '@wattdeck/domain/tariff/lab.ts'
import { meetsPriceLaw } from '@wattdeck/domain/tariff/law.ts'
import { price } from '@wattdeck/domain/tariff/price.ts'
import type { TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import { type Sample, type Usage, usageProblem } from '@wattdeck/domain/tariff/usage.ts'

export type PastOrder = {
  id: string
  siteId: string | null
  memberId: string | null
  startMs: number
  endMs: number
  durationS: number
  energyDwh: number
  peakPowerDw: number | null
  occupiedMin: number | null
  boughtFen: number | null
  electricityFen: string
  serviceFen: string
  occupancyFen: string
  totalFen: string
  /** What lowered its price, and would again. */
  benefits: readonly Benefit[]
}

/** The usage of a charge. Its end is the one that the device counted, as billed. */
export const usageOf = (order: PastOrder, samples?: readonly Sample[]): Usage => ({
  startMs: Math.round(order.startMs),
  endMs: Math.round(order.endMs),
  durationS: order.durationS,
  energyDwh: order.energyDwh,
  samples,
  peakPowerDw: order.peakPowerDw ?? undefined,
  occupiedMin: order.occupiedMin ?? undefined,
})

/**
 * Adds a charge as billed, and as it would have been billed. The reserved amount is ignored, because a higher price would have reserved
 * more. Returns whether the charge could be priced.
 */
export function addOrder(tally: LabTally, rules: TariffRules, order: PastOrder, usage: Usage): boolean {
  if (usageProblem(usage) !== undefined) return false
  const boughtFen = order.boughtFen === null ? undefined : BigInt(order.boughtFen)
  const { siteId, memberId } = order
  addToTally(tally, {
    siteId,
    memberId,
    before: {
      electricityFen: BigInt(order.electricityFen),
      serviceFen: BigInt(order.serviceFen),
      occupancyFen: BigInt(order.occupancyFen),
      totalFen: BigInt(order.totalFen),
    },
    after: partsOf(price(rules, usage, { boughtFen, benefits: order.benefits })),
  })
  return true
}

type StoredSide = { id: string; count: number; beforeFen: string; afterFen: string }
type StoredParts = { electricityFen: string; serviceFen: string; occupancyFen: string; totalFen: string }
/** As stored: whole fen as text, sites and members by id. */
export type StoredResult = {
  count: number
  skipped: number
  dearer: number
  cheaper: number
  before: StoredParts
  after: StoredParts
  siteCount: number
  sites: StoredSide[]
  memberCount: number
  losers: StoredSide[]
  gainers: StoredSide[]
}

const mostSites = 50
const mostMembers = 20

const storedParts = (sums: PartSums): StoredParts => ({
  electricityFen: String(sums.electricityFen),
  serviceFen: String(sums.serviceFen),
  occupancyFen: String(sums.occupancyFen),
  totalFen: String(sums.totalFen),
})
const storedSide = ({ id, count, beforeFen, afterFen }: LabSide): StoredSide => ({
  id,
  count,
  beforeFen: String(beforeFen),
  afterFen: String(afterFen),
})
const size = (fen: bigint) => (fen < 0n ? -fen : fen)
const change = ({ beforeFen, afterFen }: { beforeFen: bigint; afterFen: bigint }) => size(afterFen - beforeFen)

export function storedResult(tally: LabTally, skipped: number): StoredResult {
  const { count, dearer, cheaper, before, after, sites, members } = tally
  const bySize = [...sites]
    .map(([id, side]) => ({ id, ...side }))
    .toSorted((one, other) => Number(change(other) - change(one)) || Number(BigInt(one.id) - BigInt(other.id)))
  return {
    count,
    skipped,
    dearer,
    cheaper,
    before: storedParts(before),
    after: storedParts(after),
    siteCount: sites.size,
    sites: bySize.slice(0, mostSites).map(storedSide),
    memberCount: members.size,
    losers: mostChanged(members, 'more', mostMembers).map(storedSide),
    gainers: mostChanged(members, 'less', mostMembers).map(storedSide),
  }
}

const yuan = (fen: string) => yuanText(BigInt(fen))
const shownParts = ({ electricityFen, serviceFen, occupancyFen, totalFen }: StoredParts) => ({
  electricity: yuan(electricityFen),
  service: yuan(serviceFen),
  occupancy: yuan(occupancyFen),
  total: yuan(totalFen),
})

/** As displayed: yuan and names. Rows that are removed or invisible to the reader have no name. */
export function shownResult(
  stored: StoredResult,
  rules: TariffRules,
  names: { sites: ReadonlyMap<string, string>; members: ReadonlyMap<string, string> },
): LabResult {
  const shown = (named: ReadonlyMap<string, string>) => (side: StoredSide) => ({
    name: named.get(side.id) ?? '已删除',
    count: side.count,
    before: yuan(side.beforeFen),
    after: yuan(side.afterFen),
    difference: yuanText(BigInt(side.afterFen) - BigInt(side.beforeFen)),
  })
  const { count, skipped, dearer, cheaper, siteCount, memberCount, before, after } = stored
  return {
    count,
    skipped,
    dearer,
    cheaper,
    siteCount,
    memberCount,
    before: shownParts(before),
    after: shownParts(after),
    difference: yuanText(BigInt(after.totalFen) - BigInt(before.totalFen)),
    sites: stored.sites.map(shown(names.sites)),
    losers: stored.losers.map(shown(names.members)),
    gainers: stored.gainers.map(shown(names.members)),
    lawHolds: meetsPriceLaw(rules).holds,
  }
}
