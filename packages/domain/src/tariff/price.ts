import type { Fen } from '../money.ts'
import { applyBenefits, type Benefit } from './benefit.ts'
import * as bills from './bill.ts'
import type { Bill, BillLine, BillStep } from './bill.ts'
import type { EnergyRules, OccupancyRules, PowerRules, TariffRules, TimeRules } from './rules.ts'
import { bandOf, peakPower, splitEnergy, splitSeconds } from './split.ts'
import { type Usage, usageProblem } from './usage.ts'

/** Money reserved or paid for the charge. */
export type Terms = {
  /** Upper bound of the bill. Undefined when nothing is reserved, as in an estimate. */
  heldFen?: bigint | undefined
  /** The price of a package bought beforehand, which is due in full when the rules do not refund. */
  boughtFen?: bigint | undefined
  benefits?: readonly Benefit[] | undefined
}

type Parts = { electricityFen: bigint; serviceFen: bigint }
/** The result of the lines, before the common rules are applied. */
type Charge = Parts & { lines: BillLine[]; steps: BillStep[] }

/**
 * The price of a completed, assumed or past charge: the tariff, its minimum, the benefits, then the limit of the
 * reserved money. Electricity and service are each rounded once, so the displayed parts add up to the total.
 *
 * The rules must have passed checkRules. Invalid usage throws a RangeError; usageProblem checks it beforehand.
 */
export function price(rules: TariffRules, usage: Usage, terms: Terms = {}): Bill {
  const problem = usageProblem(usage)
  if (problem !== undefined) throw new RangeError(`usage: ${problem}`)
  const charge = withMinimum(rules, usage, terms, isFree(rules, usage) ? freeCharge(rules) : chargeOf(rules, usage))
  const occupancy = rules.occupancy === null ? undefined : occupancyOf(rules.occupancy, usage.occupiedMin ?? 0)
  const lines = occupancy === undefined ? charge.lines : [...charge.lines, ...occupancy.lines]
  const { billingType } = rules
  const { durationS } = usage
  const energyDwh = usedEnergy(usage)
  const lowered = applyBenefits(charge, { durationS, energyDwh }, terms.benefits ?? [])
  const { discounts } = lowered
  const steps = [...charge.steps, ...lowered.steps, ...(occupancy?.steps ?? [])]
  const due = { ...lowered, occupancyFen: occupancy?.fen ?? 0n }
  return { billingType, durationS, energyDwh, ...capped(due, terms.heldFen, steps), discounts, lines, steps }
}

/** The counts of the device by segment take precedence over its total. */
const usedEnergy = ({ segmentEnergyDwh, energyDwh }: Usage) =>
  segmentEnergyDwh === undefined ? energyDwh : segmentEnergyDwh.reduce((all, part) => all + part, 0)

const isFree = ({ freeMinutes }: TariffRules, { durationS }: Usage) => freeMinutes > 0 && durationS <= freeMinutes * 60
const freeCharge = ({ freeMinutes }: TariffRules): Charge => ({
  electricityFen: 0n,
  serviceFen: 0n,
  lines: [],
  steps: [{ kind: 'free', freeMinutes }],
})

function chargeOf(rules: TariffRules, usage: Usage): Charge {
  if (rules.billingType === 0) return energyCharge(rules, usage)
  return rules.billingType === 1 ? timeCharge(rules, usage) : powerCharge(rules, usage)
}

function energyCharge({ segments }: EnergyRules, usage: Usage): Charge {
  const energies = splitEnergy(segments, usage)
  const lines: bills.EnergyLine[] = []
  for (const [at, { period, fromMin, toMin, electricityE5, serviceE5 }] of segments.entries()) {
    const energyDwh = energies[at] ?? 0
    if (energyDwh === 0) continue
    const electricity = bills.energyAmount(energyDwh, electricityE5)
    const service = bills.energyAmount(energyDwh, serviceE5)
    lines.push({ kind: 'energy', period, fromMin, toMin, energyDwh, electricityE5, serviceE5, electricity, service })
  }
  return {
    electricityFen: bills.roundFen(bills.sum(lines.map(({ electricity }) => electricity))),
    serviceFen: bills.roundFen(bills.sum(lines.map(({ service }) => service))),
    lines,
    steps: [],
  }
}

function timeCharge(rules: TimeRules, usage: Usage): Charge {
  const { unitMinutes, stepMinutes, tiers } = rules
  const billedMin = Math.ceil(usage.durationS / (stepMinutes * 60)) * stepMinutes
  const lines: bills.TimeLine[] = []
  let fromMin = 0
  for (const { uptoMin, priceFen } of tiers) {
    if (fromMin >= billedMin) break
    const toMin = Math.min(billedMin, uptoMin ?? billedMin)
    const amount = bills.unitAmount(toMin - fromMin, priceFen, unitMinutes)
    lines.push({ kind: 'time', fromMin, toMin, priceFen, unitMinutes, amount })
    fromMin = toMin
  }
  return withElectricity(rules.electricityE5, usage, lines, [])
}

function powerCharge(rules: PowerRules, usage: Usage): Charge {
  const { bands, mode } = rules
  const peak = peakPower(usage)
  const peakBand = bandOf(bands, peak.powerDw)
  const seconds =
    mode === 'segmented' ? splitSeconds(bands, usage) : bands.map((_, at) => (at === peakBand ? usage.durationS : 0))
  const lines: bills.PowerLine[] = []
  for (const [at, { maxWatt, priceE5 }] of bands.entries()) {
    const spent = seconds[at] ?? 0
    if (spent === 0) continue
    const reach = { aboveWatt: bands[at - 1]?.maxWatt ?? 0, maxWatt: at === bands.length - 1 ? null : maxWatt }
    lines.push({ kind: 'power', ...reach, seconds: spent, priceE5, amount: bills.hourAmount(spent, priceE5) })
  }
  const guessed = peak.mean && lines.length > 0 && (mode === 'peak' || usage.secondsPerBand === undefined)
  return withElectricity(
    rules.electricityE5,
    usage,
    lines,
    guessed ? [{ kind: 'meanPower', powerDw: peak.powerDw }] : [],
  )
}

/**
 * Time or power determine the total. The law requires electricity to be shown apart: the metered energy is priced as
 * electricity, and the rest is the service fee. The total stays the same when electricity alone would cost more.
 */
function withElectricity(
  electricityE5: number,
  usage: Usage,
  lines: (bills.TimeLine | bills.PowerLine)[],
  steps: BillStep[],
): Charge {
  const totalFen = bills.roundFen(bills.sum(lines.map(({ amount }) => amount)))
  const energyDwh = usedEnergy(usage)
  const amount = bills.energyAmount(energyDwh, electricityE5)
  const meteredFen = bills.roundFen(amount)
  const electricityFen = meteredFen > totalFen ? totalFen : meteredFen
  if (meteredFen > totalFen) steps.push({ kind: 'electricityCut', cutFen: (meteredFen - totalFen) as Fen })
  const electricity: BillLine[] = amount.parts === 0n ? [] : [{ kind: 'electricity', energyDwh, electricityE5, amount }]
  return { electricityFen, serviceFen: totalFen - electricityFen, lines: [...lines, ...electricity], steps }
}

/** The minimum fee and a package without refund raise only the service fee, and only when a charge took place. */
function withMinimum(rules: TariffRules, usage: Usage, { boughtFen = 0n }: Terms, charge: Charge): Charge {
  if (isFree(rules, usage) || (usage.durationS === 0 && usedEnergy(usage) === 0)) return charge
  const minFeeFen = BigInt(rules.minFeeFen) as Fen
  let { serviceFen } = charge
  const toMinimum = minFeeFen - charge.electricityFen - serviceFen
  if (toMinimum > 0n) {
    charge.steps.push({ kind: 'minFee', minFeeFen, raisedFen: toMinimum as Fen })
    serviceFen += toMinimum
  }
  const toPackage = rules.refundUnused ? 0n : boughtFen - charge.electricityFen - serviceFen
  if (toPackage > 0n) {
    charge.steps.push({ kind: 'package', boughtFen: boughtFen as Fen, raisedFen: toPackage as Fen })
    serviceFen += toPackage
  }
  return { ...charge, serviceFen }
}

function occupancyOf({ freeMinutes, priceE5, capFen }: OccupancyRules, occupiedMin: number) {
  const billedMin = Math.max(0, occupiedMin - freeMinutes)
  const lines: BillLine[] = []
  const steps: BillStep[] = []
  if (billedMin === 0) return { fen: 0n, lines, steps }
  const amount = bills.minuteAmount(billedMin, priceE5)
  lines.push({ kind: 'occupancy', occupiedMin, freeMinutes, billedMin, priceE5, amount })
  const [feeFen, cap] = [bills.roundFen(amount), BigInt(capFen) as Fen]
  if (feeFen > cap) steps.push({ kind: 'occupancyCap', capFen: cap, cutFen: (feeFen - cap) as Fen })
  return { fen: feeFen > cap ? cap : feeFen, lines, steps }
}

const least = (a: bigint, b: bigint) => (a < b ? a : b)

/** An amount above the reserved money is not billed. Occupancy and service fees are cut first, electricity last. */
function capped(due: Parts & { occupancyFen: bigint }, heldFen: bigint | undefined, steps: BillStep[]) {
  const dueFen = due.electricityFen + due.serviceFen + due.occupancyFen
  const totalFen = heldFen === undefined ? dueFen : least(dueFen, heldFen > 0n ? heldFen : 0n)
  const electricityFen = least(due.electricityFen, totalFen)
  const serviceFen = least(due.serviceFen, totalFen - electricityFen)
  const cappedByFen = (dueFen - totalFen) as Fen
  if (cappedByFen > 0n) steps.push({ kind: 'held', heldFen: totalFen as Fen, cutFen: cappedByFen })
  return {
    electricityFen: electricityFen as Fen,
    serviceFen: serviceFen as Fen,
    occupancyFen: (totalFen - electricityFen - serviceFen) as Fen,
    totalFen: totalFen as Fen,
    cappedByFen,
  }
}
