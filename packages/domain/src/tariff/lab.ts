import type { Bill } from './bill.ts'
import type { PartSums } from './estimate.ts'
import type { TariffRules } from './rules.ts'
import { timeInSegments } from './split.ts'
import type { Usage } from './usage.ts'

/**
 * Whether readings can change the price: only where it depends on the time of the energy, or on an unreported power.
 */
export function needsReadings(rules: TariffRules, usage: Pick<Usage, 'startMs' | 'endMs' | 'peakPowerDw'>): boolean {
  if (rules.billingType === 1) return false
  if (rules.billingType === 2)
    return rules.bands.length > 1 && (rules.mode === 'segmented' || usage.peakPowerDw === undefined)
  if (rules.segments.length === 1) return false
  return timeInSegments(rules.segments, usage.startMs, usage.endMs).filter((ms) => ms > 0).length > 1
}

/** The billed amounts of a charge, and its amounts under another tariff. */
export type LabOrder = { siteId: string | null; memberId: string | null; before: PartSums; after: PartSums }
type Side = { count: number; beforeFen: bigint; afterFen: bigint }

/** Sums over charges, independent of the order of addition. */
export type LabTally = {
  count: number
  dearer: number
  cheaper: number
  before: PartSums
  after: PartSums
  sites: Map<string, Side>
  members: Map<string, Side>
}

const nothing = (): PartSums => ({ electricityFen: 0n, serviceFen: 0n, occupancyFen: 0n, totalFen: 0n })
export const newTally = (): LabTally => ({
  count: 0,
  dearer: 0,
  cheaper: 0,
  before: nothing(),
  after: nothing(),
  sites: new Map(),
  members: new Map(),
})

export const partsOf = ({ electricityFen, serviceFen, occupancyFen, totalFen }: Bill): PartSums => ({
  electricityFen,
  serviceFen,
  occupancyFen,
  totalFen,
})

function add(to: PartSums, { electricityFen, serviceFen, occupancyFen, totalFen }: PartSums): void {
  to.electricityFen += electricityFen
  to.serviceFen += serviceFen
  to.occupancyFen += occupancyFen
  to.totalFen += totalFen
}

function addSide(to: Map<string, Side>, id: string | null, beforeFen: bigint, afterFen: bigint): void {
  if (id === null) return
  const existing = to.get(id)
  if (existing === undefined) to.set(id, { count: 1, beforeFen, afterFen })
  else {
    existing.count += 1
    existing.beforeFen += beforeFen
    existing.afterFen += afterFen
  }
}

export function addToTally(tally: LabTally, { siteId, memberId, before, after }: LabOrder): void {
  tally.count += 1
  if (after.totalFen > before.totalFen) tally.dearer += 1
  if (after.totalFen < before.totalFen) tally.cheaper += 1
  add(tally.before, before)
  add(tally.after, after)
  addSide(tally.sites, siteId, before.totalFen, after.totalFen)
  addSide(tally.members, memberId, before.totalFen, after.totalFen)
}

export type LabSide = Side & { id: string }

/** The sides with the largest change in one direction, largest first. */
export function mostChanged(sides: ReadonlyMap<string, Side>, direction: 'more' | 'less', most: number): LabSide[] {
  const sign = direction === 'more' ? 1n : -1n
  const difference = (side: Side) => (side.afterFen - side.beforeFen) * sign
  return [...sides]
    .filter(([, side]) => difference(side) > 0n)
    .map(([id, side]) => ({ id, ...side }))
    .toSorted((one, other) => {
      const by = difference(other) - difference(one)
      return by > 0n ? 1 : by < 0n ? -1 : Number(BigInt(one.id) - BigInt(other.id))
    })
    .slice(0, most)
}
