import type { Fen } from '../money.ts'
import type { Period, TariffRules } from './rules.ts'

/** What a charge costs, and every figure that led there. Amounts are whole fen; lines are exact. */
export type Bill = {
  billingType: TariffRules['billingType']
  durationS: number
  energyDwh: number
  electricityFen: Fen
  serviceFen: Fen
  occupancyFen: Fen
  totalFen: Fen
  /** What would have been due beyond the money that was held, and is not asked for. */
  cappedByFen: Fen
  lines: BillLine[]
  /** What was done with the sum of the lines, in this order. */
  steps: BillStep[]
}

/** parts / perFen fen, not rounded. */
export type Exact = { parts: bigint; perFen: bigint }

export type BillLine = EnergyLine | TimeLine | PowerLine | ElectricityLine | OccupancyLine
/** All that flowed in one segment of the day, on whatever days. */
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
/** Minutes as billed, from the start of the charge. */
export type TimeLine = {
  kind: 'time'
  fromMin: number
  toMin: number
  priceFen: number
  unitMinutes: number
  amount: Exact
}
/** maxWatt is null in the last band, which takes all that is above the one before. */
export type PowerLine = {
  kind: 'power'
  aboveWatt: number
  maxWatt: number | null
  seconds: number
  priceE5: number
  amount: Exact
}
/** What of a price by time or power is electricity. */
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
  /** It ended within the free minutes. */
  | { kind: 'free'; freeMinutes: number }
  /** No power was reported: the mean was taken for the peak. */
  | { kind: 'meanPower'; powerDw: number }
  /** The electricity alone would cost more than time or power do: the service fee is nothing, the total stays. */
  | { kind: 'electricityCut'; cutFen: Fen }
  | { kind: 'minFee'; minFeeFen: Fen; raisedFen: Fen }
  /** A package without refund is paid in full. */
  | { kind: 'package'; boughtFen: Fen; raisedFen: Fen }
  | { kind: 'occupancyCap'; capFen: Fen; cutFen: Fen }
  | { kind: 'held'; heldFen: Fen; cutFen: Fen }

/** Dwh × E5 are billionths of a yuan. */
const energyPerFen = 10_000_000n
/** E5 are 1/1000 fen. */
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

/** Adds amounts of one kind, which have one denominator. */
export function sum(amounts: readonly Exact[]): Exact {
  let parts = 0n
  for (const amount of amounts) parts += amount.parts
  return { parts, perFen: amounts[0]?.perFen ?? 1n }
}

/** Half a fen and more is a fen. */
export const roundFen = ({ parts, perFen }: Exact) => ((2n * parts + perFen) / (2n * perFen)) as Fen
