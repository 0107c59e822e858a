import type { Fen } from '../money.ts'
import * as bills from './bill.ts'
import type { Bill, BillLine, BillStep } from './bill.ts'
import type { EnergyRules, OccupancyRules, PowerRules, TariffRules, TimeRules } from './rules.ts'
import { bandOf, peakPower, splitEnergy, splitSeconds } from './split.ts'
import { type Usage, usageProblem } from './usage.ts'

/** Money that was put aside for the charge. */
export type Terms = {
  /** No bill is higher. Undefined: nothing is held, as in an estimate. */
  heldFen?: bigint | undefined
  /** The price of a package bought beforehand, which is paid in full where the rules refund nothing. */
  boughtFen?: bigint | undefined
}

type Parts = { electricityFen: bigint; serviceFen: bigint }
/** What the lines say, before anything that the common rules say. */
type Charge = Parts & { lines: BillLine[]; steps: BillStep[] }

/**
 * The price of a charge: of one that is over, of one that is assumed, and of a past one under other rules. Electricity
 * and service are each rounded once, so that the parts people see add up to the total.
 *
 * The rules must have passed checkRules. Usage that nobody may be billed by is a RangeError; usageProblem tells before.
 */
export function price(rules: TariffRules, usage: Usage, terms: Terms = {}): Bill {
  const problem = usageProblem(usage)
  if (problem !== undefined) throw new RangeError(`usage: ${problem}`)
  const charge = withMinimum(rules, usage, terms, isFree(rules, usage) ? freeCharge(rules) : chargeOf(rules, usage))
  const occupancy = rules.occupancy === null ? undefined : occupancyOf(rules.occupancy, usage.occupiedMin ?? 0)
  const lines = occupancy === undefined ? charge.lines : [...charge.lines, ...occupancy.lines]
  const steps = occupancy === undefined ? charge.steps : [...charge.steps, ...occupancy.steps]
  const due = {
    electricityFen: charge.electricityFen,
    serviceFen: charge.serviceFen,
    occupancyFen: occupancy?.fen ?? 0n,
  }
  const { billingType } = rules
  const { durationS } = usage
  return { billingType, durationS, energyDwh: usedEnergy(usage), ...capped(due, terms.heldFen, steps), lines, steps }
}

/** What the device counted by segments is what is billed, also where its total differs. */
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
 * Time or power make the total. The law wants electricity apart, so what was metered is priced as electricity and the
 * rest is the service fee. The total stays what was promised, also where electricity alone would cost more.
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

/** The minimum fee and an unrefunded package raise the service fee only, and only where a charge took place. */
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
  const [asked, cap] = [bills.roundFen(amount), BigInt(capFen) as Fen]
  if (asked > cap) steps.push({ kind: 'occupancyCap', capFen: cap, cutFen: (asked - cap) as Fen })
  return { fen: asked > cap ? cap : asked, lines, steps }
}

const least = (a: bigint, b: bigint) => (a < b ? a : b)

/** What is beyond the money held is not asked for. The operator's own fees give way first, electricity last. */
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
