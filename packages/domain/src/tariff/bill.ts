import type { Fen } from '../money.ts'
import type { Period, TariffRules } from './rules.ts'

/** Each kind has its own column of the order: covered by a pass, lowered as a member's price, lowered by a coupon. */
export type BenefitKind = 'pass' | 'price' | 'coupon'
/** `pass`: the price that was paid for a pass. Its income reaches the sites day by day, not with the bill. */
export type FunderKind = 'platform' | 'organise' | 'agent' | 'site' | 'pass'

/** A benefit as applied. The shares of the funders add up to the amount. */
export type Discount = {
  kind: BenefitKind
  /** The row that granted it, for example 'whitelist/17'. */
  ref: string
  name: string
  offFen: Fen
  shares: { who: FunderKind; id: string; shareFen: Fen }[]
}

/**
 * The price of a charge with every intermediate figure. Amounts are whole fen; lines are exact. Electricity, service
 * and total are what the payer owes, after discounts.
 */
export type Bill = {
  billingType: TariffRules['billingType']
  durationS: number
  energyDwh: number
  electricityFen: Fen
  serviceFen: Fen
  occupancyFen: Fen
  totalFen: Fen
  discounts: Discount[]
  /** The part of the price above the reserved money, which is not billed. */
  cappedByFen: Fen
  lines: BillLine[]
  /** The adjustments of the sum of the lines, in order. */
  steps: BillStep[]
}

/** An exact amount of parts / perFen fen, not rounded. */
export type Exact = { parts: bigint; perFen: bigint }

export type BillLine = EnergyLine | TimeLine | PowerLine | ElectricityLine | OccupancyLine
/** The energy of one segment of the day, over all days of the charge. */
export type EnergyLine = {
  kind: 'energy'
  period: Period
  fromMin: number
  toMin: number
  energyDwh: number
  electricityE5: number
  serviceE5: number
  electricity: Exact
  service: Exact
}
/** Billed minutes, counted from the start of the charge. */
export type TimeLine = {
  kind: 'time'
  fromMin: number
  toMin: number
  priceFen: number
  unitMinutes: number
  amount: Exact
}
/** maxWatt is null in the last band, which has no upper bound. */
export type PowerLine = {
  kind: 'power'
  aboveWatt: number
  maxWatt: number | null
  seconds: number
  priceE5: number
  amount: Exact
}
/** The electricity part of a price by time or power. */
export type ElectricityLine = { kind: 'electricity'; energyDwh: number; electricityE5: number; amount: Exact }
export type OccupancyLine = {
  kind: 'occupancy'
  occupiedMin: number
  freeMinutes: number
  billedMin: number
  priceE5: number
  amount: Exact
}

export type BillStep =
  /** The charge ended within the free minutes. */
  | { kind: 'free'; freeMinutes: number }
  /** No power was reported; the mean power is used as the peak. */
  | { kind: 'meanPower'; powerDw: number }
  /** The electricity alone costs more than the price by time or power: the service fee is zero, the total stays. */
  | { kind: 'electricityCut'; cutFen: Fen }
  | { kind: 'minFee'; minFeeFen: Fen; raisedFen: Fen }
  /** A package without refund is paid in full. */
  | { kind: 'package'; boughtFen: Fen; raisedFen: Fen }
  | { kind: 'occupancyCap'; capFen: Fen; cutFen: Fen }
  | {
      kind: 'benefit'
      benefit: BenefitKind
      name: string
      scope: 'charge' | 'service'
      offFen: Fen
      funders: FunderKind[]
    }
  /** A benefit that lowers nothing; `fromFen` if the amount is too small for it. */
  | { kind: 'noBenefit'; benefit: BenefitKind; name: string; fromFen: Fen | null }
  | { kind: 'held'; heldFen: Fen; cutFen: Fen }

/** Dwh × E5 is in billionths of a yuan. */
const energyPerFen = 10_000_000n
/** E5 is in 1/1000 fen. */
const priceE5PerFen = 1000n
const hourE5PerFen = 3600n * priceE5PerFen

export const energyAmount = (energyDwh: number, priceE5: number): Exact => ({
  parts: BigInt(energyDwh) * BigInt(priceE5),
  perFen: energyPerFen,
})
export const hourAmount = (seconds: number, priceE5: number): Exact => ({
  parts: BigInt(seconds) * BigInt(priceE5),
  perFen: hourE5PerFen,
})
export const minuteAmount = (minutes: number, priceE5: number): Exact => ({
  parts: BigInt(minutes) * BigInt(priceE5),
  perFen: priceE5PerFen,
})
export const unitAmount = (minutes: number, priceFen: number, unitMinutes: number): Exact => ({
  parts: BigInt(minutes) * BigInt(priceFen),
  perFen: BigInt(unitMinutes),
})

/** Adds amounts of one kind, which share a denominator. */
export function sum(amounts: readonly Exact[]): Exact {
  let parts = 0n
  for (const amount of amounts) parts += amount.parts
  return { parts, perFen: amounts[0]?.perFen ?? 1n }
}

/** Rounds half up. */
export const roundFen = ({ parts, perFen }: Exact) => ((2n * parts + perFen) / (2n * perFen)) as Fen
