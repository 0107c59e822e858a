import { type Benefit, certainBenefits } from './benefit.ts'
import { assumedUsage, estimate } from './estimate.ts'
import { minReservationFen, type TariffRules } from './rules.ts'

/** The limit requested by a member: fen, minutes, or 1/10000 kWh. */
export type RequestedLimit =
  | { by: 'money'; fen: number }
  | { by: 'minutes'; minutes: number }
  | { by: 'energy'; energyDwh: number }
  | { by: 'full' }
/** The limit sent to the device. Where the device supports none, the platform ends the charge. */
export type DeviceLimit = { by: 'duration'; durationS: number } | { by: 'energy'; energyWh: number } | { by: 'full' }

/** The start and the rated power of the port, which bounds every charge, and what lowers its price. */
export type Circumstance = { startMs: number; ratedW: number; benefits?: readonly Benefit[] | undefined }

/**
 * The amount to reserve. A limit in money reserves that amount. Minutes, energy or a full battery reserve their cost at
 * the rated power of the port, so the bill never exceeds it. With benefits it may be zero.
 */
export function reservationFor(rules: TariffRules, request: RequestedLimit, at: Circumstance): bigint {
  const { benefits = [], ratedW } = at
  const least = BigInt(minReservationFen(rules))
  const fen =
    request.by === 'money' ? BigInt(request.fen) : dearest(rules, minutesOf(rules, request, ratedW), at, ratedW)
  const atLeast = fen > least ? fen : least
  if (benefits.length === 0) return atLeast
  if (request.by !== 'money') return fen
  const most = dearest(rules, rules.maxMinutes, at, ratedW)
  return atLeast < most ? atLeast : most
}

const appliedKinds = ['pass', 'price', 'coupon'] as const

/**
 * The benefits to use: of each kind the one with which a charge at full power costs least after those before it, the first
 * of equals, none that lowers nothing. The charge lasts for the request, or as long as the tariff allows.
 */
export function chooseBenefits(
  rules: TariffRules,
  offered: readonly Benefit[],
  at: Circumstance,
  request: RequestedLimit = { by: 'full' },
): Benefit[] {
  if (offered.length === 0) return []
  const { startMs, ratedW: powerW } = at
  const minutes = expectedMinutes(rules, request, at)
  const cost = (benefits: readonly Benefit[]) => estimate(rules, { startMs, minutes, powerW }, { benefits }).totalFen
  let before: Benefit[] = []
  let best = { chosen: before, fen: cost(before) }
  for (const kind of appliedKinds) {
    for (const one of offered.filter((offer) => offer.kind === kind)) {
      const kept = one.alone === true ? before.filter((other) => other.kind !== 'price') : before
      const fen = cost([...kept, one])
      if (fen < best.fen) best = { chosen: [...kept, one], fen }
    }
    before = best.chosen
  }
  return before
}

/** The first minute at which the list price is above an amount of money: with a discount, that money buys more. */
function expectedMinutes(rules: TariffRules, request: RequestedLimit, { startMs, ratedW }: Circumstance): number {
  if (request.by !== 'money') return minutesOf(rules, request, ratedW)
  return Math.min(rules.maxMinutes, minutesFor(rules, BigInt(request.fen), { startMs, ratedW }, ratedW) + 1)
}

/** What must be reserved before a charge may begin: the cost of its first minute, or the minimum of the tariff. */
export const leastReservation = (rules: TariffRules, at: Circumstance): bigint =>
  (at.benefits ?? []).length === 0 ? BigInt(minReservationFen(rules)) : dearest(rules, 1, at, at.ratedW)

/** The price before benefits at which the reserved money is used up. A pile that counts money itself stops there. */
export function coveredPrice(rules: TariffRules, heldFen: bigint, at: Circumstance): bigint {
  if ((at.benefits ?? []).length === 0) return heldFen
  const minutes = minutesFor(rules, heldFen, at, at.ratedW)
  const listFen = dearest(rules, minutes, { ...at, benefits: [] }, at.ratedW)
  return listFen > heldFen ? listFen : heldFen
}

const minutesOf = (rules: TariffRules, request: Exclude<RequestedLimit, { by: 'money' }>, ratedW: number): number => {
  if (request.by === 'minutes') return Math.min(request.minutes, rules.maxMinutes)
  return request.by === 'full'
    ? rules.maxMinutes
    : Math.min(rules.maxMinutes, Math.ceil((request.energyDwh * 6) / ratedW))
}

const dearest = (
  rules: TariffRules,
  minutes: number,
  { startMs, benefits = [] }: Circumstance,
  powerW: number,
): bigint => estimate(rules, { startMs, minutes, powerW }, { benefits: certainBenefits(benefits) }).totalFen

/**
 * The limit sent to the device. Money is converted into the energy or time it buys: energy at the highest power of the
 * port from now on, time at the lowest power band. When the charge costs more than estimated, the platform ends it as
 * soon as the money is used up.
 */
export function deviceLimit(
  rules: TariffRules,
  request: RequestedLimit,
  heldFen: bigint,
  at: Circumstance,
): DeviceLimit {
  if (request.by === 'full') return { by: 'full' }
  if (request.by === 'minutes') return { by: 'duration', durationS: Math.min(request.minutes, rules.maxMinutes) * 60 }
  if (request.by === 'energy') return { by: 'energy', energyWh: Math.ceil(request.energyDwh / 10) }
  const powerW = rules.billingType === 2 ? Math.min(at.ratedW, rules.bands[0]?.maxWatt ?? at.ratedW) : at.ratedW
  const minutes = minutesFor(rules, heldFen, at, powerW)
  if (rules.billingType !== 0) return { by: 'duration', durationS: minutes * 60 }
  const { energyDwh } = assumedUsage({ startMs: at.startMs, minutes, powerW })
  return { by: 'energy', energyWh: Math.max(1, Math.floor(energyDwh / 10)) }
}

/** The most minutes that cost at most this amount, at least one. Binary search: the price never falls with time. */
function minutesFor(rules: TariffRules, fen: bigint, at: Circumstance, powerW: number): number {
  let [low, high] = [1, rules.maxMinutes]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (dearest(rules, middle, at, powerW) <= fen) low = middle
    else high = middle - 1
  }
  return low
}
