import type { Fen } from '../money.ts'
import { shareByRemainder } from '../refund.ts'
import type { BenefitKind, BillStep, Discount, FunderKind } from './bill.ts'

/** Bears a part of a discount. `id` is '0' for the platform and the organisation. */
export type Funder = { who: FunderKind; id: string; weight: number }

/** Lowers the price of one charge. An order keeps the benefits of its start, so later changes do not reach it. */
export type Benefit = {
  kind: BenefitKind
  /** The row that granted it, for example 'whitelist/17'. */
  ref: string
  name: string
  /** `service`: only the service fee. An occupancy fee is never lowered. */
  scope: 'charge' | 'service'
  off: Off
  /** Not together with a price of the person. */
  alone?: true
  funders: readonly Funder[]
}
export type Off =
  | { by: 'percent'; offBp: number; maxFen: number | null }
  /** Applies from an amount of `fromFen`, measured after the benefits before it. */
  | { by: 'amount'; offFen: number; fromFen: number }
  /** The charge costs at most this much. */
  | { by: 'fixed'; payFen: number }
  /** The first energy or minutes are free, in proportion to the whole use. */
  | { by: 'energy'; freeDwh: number }
  | { by: 'minutes'; freeMinutes: number }

type Parts = { electricityFen: bigint; serviceFen: bigint }
type Used = { durationS: number; energyDwh: number }

/** Applies the benefits in their order. No part falls below zero. */
export function applyBenefits(due: Parts, used: Used, benefits: readonly Benefit[]) {
  let { electricityFen, serviceFen } = due
  const discounts: Discount[] = []
  const steps: BillStep[] = []
  for (const { kind, ref, name, scope, off, funders } of benefits) {
    const baseFen = scope === 'service' ? serviceFen : electricityFen + serviceFen
    const chargeFen = electricityFen + serviceFen
    const offFen = least(amountOff(off, { baseFen, chargeFen }, used), baseFen) as Fen
    if (offFen === 0n) {
      if (chargeFen > 0n) steps.push({ kind: 'noBenefit', benefit: kind, name, ...missing(off, chargeFen) })
      continue
    }
    const [fromElectricity = 0n] = scope === 'service' ? [] : shareByRemainder(offFen, [electricityFen, serviceFen])
    electricityFen -= fromElectricity
    serviceFen -= offFen - fromElectricity
    const shares = sharesOf(offFen, funders)
    discounts.push({ kind, ref, name, offFen, shares })
    steps.push({ kind: 'benefit', benefit: kind, name, scope, offFen, funders: shares.map(({ who }) => who) })
  }
  return { electricityFen, serviceFen, discounts, steps }
}

function amountOff(off: Off, { baseFen, chargeFen }: { baseFen: bigint; chargeFen: bigint }, used: Used): bigint {
  switch (off.by) {
    case 'percent': {
      const offFen = portion(baseFen, off.offBp, 10_000)
      return off.maxFen === null ? offFen : least(offFen, BigInt(off.maxFen))
    }
    case 'amount':
      return chargeFen < BigInt(off.fromFen) ? 0n : BigInt(off.offFen)
    case 'fixed':
      return baseFen > BigInt(off.payFen) ? baseFen - BigInt(off.payFen) : 0n
    case 'energy':
      return portion(baseFen, off.freeDwh, used.energyDwh)
    case 'minutes':
      return portion(baseFen, off.freeMinutes * 60, used.durationS)
    default:
      return off satisfies never
  }
}

const least = (a: bigint, b: bigint) => (a < b ? a : b)

/** part / whole of an amount, rounded half up; all of it if the part covers the whole. */
function portion(fen: bigint, part: number, whole: number): bigint {
  if (part >= whole) return fen
  return (2n * fen * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole))
}

/** Why a benefit lowers nothing. */
const missing = (off: Off, chargeFen: bigint): { fromFen: Fen | null } => ({
  fromFen: off.by === 'amount' && chargeFen < BigInt(off.fromFen) ? (BigInt(off.fromFen) as Fen) : null,
})

function sharesOf(offFen: Fen, funders: readonly Funder[]): Discount['shares'] {
  const shares = shareByRemainder(
    offFen,
    // Scaled, so that no weight limits its share.
    funders.map(({ weight }) => BigInt(weight) * offFen),
  )
  return funders.map(({ who, id }, at) => ({ who, id, shareFen: (shares[at] ?? 0n) as Fen }))
}

/** The sum of one kind, or of all. */
export const discountFen = (discounts: readonly Discount[], kind?: BenefitKind): bigint =>
  discounts.reduce((sum, one) => (kind === undefined || one.kind === kind ? sum + one.offFen : sum), 0n)

/**
 * The benefits that lower a price at any consumption. A discount from a minimum amount may appear late, so limits and
 * reservations do not count on it.
 */
export const certainBenefits = (benefits: readonly Benefit[]): readonly Benefit[] =>
  benefits.filter(({ off }) => off.by !== 'amount' || off.fromFen === 0)

/** The use that benefits cover in full; undefined if none does. */
export function coveredUse(benefits: readonly Benefit[]): { energyDwh?: number; durationS?: number } | undefined {
  for (const { off, scope } of benefits) {
    if (scope !== 'charge') continue
    if (off.by === 'energy') return { energyDwh: off.freeDwh }
    if (off.by === 'minutes') return { durationS: off.freeMinutes * 60 }
    if (off.by === 'percent' && off.offBp === 10_000 && off.maxFen === null) return {}
  }
  return undefined
}
