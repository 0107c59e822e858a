import { assumedUsage, estimate } from './estimate.ts'
import { leastHeldFen, type TariffRules } from './rules.ts'

/** What a member asks for: fen, minutes, or 1/10000 kWh. */
export type AskedLimit =
  | { by: 'money'; fen: number }
  | { by: 'minutes'; minutes: number }
  | { by: 'energy'; energyDwh: number }
  | { by: 'full' }
/** What a device can be told. Where it counts neither, the platform ends the charge. */
export type DeviceLimit = { by: 'duration'; durationS: number } | { by: 'energy'; energyWh: number } | { by: 'full' }

/** Where and when: no charge takes more than the port gives. */
export type Circumstance = { startMs: number; ratedW: number }

/**
 * How much money must be put aside. For money it is what was asked for; for minutes, energy or a full battery what that
 * costs at the most the port can give, so that the bill is never above it.
 */
export function heldFor(rules: TariffRules, asked: AskedLimit, { startMs, ratedW }: Circumstance): bigint {
  const least = BigInt(leastHeldFen(rules))
  const fen =
    asked.by === 'money' ? BigInt(asked.fen) : dearest(rules, minutesOf(rules, asked, ratedW), startMs, ratedW)
  return fen > least ? fen : least
}

const minutesOf = (rules: TariffRules, asked: Exclude<AskedLimit, { by: 'money' }>, ratedW: number): number => {
  if (asked.by === 'minutes') return Math.min(asked.minutes, rules.maxMinutes)
  return asked.by === 'full' ? rules.maxMinutes : Math.min(rules.maxMinutes, Math.ceil((asked.energyDwh * 6) / ratedW))
}

const dearest = (rules: TariffRules, minutes: number, startMs: number, powerW: number): bigint =>
  estimate(rules, { startMs, minutes, powerW }).totalFen

/**
 * What the device is told to end at. Money is turned into the energy or the time it buys: energy at the most the port
 * gives, from now on; time at the lowest power band. Where the charge then costs more than was thought, the platform ends
 * it when the money is used up.
 */
export function deviceLimit(rules: TariffRules, asked: AskedLimit, heldFen: bigint, at: Circumstance): DeviceLimit {
  if (asked.by === 'full') return { by: 'full' }
  if (asked.by === 'minutes') return { by: 'duration', durationS: Math.min(asked.minutes, rules.maxMinutes) * 60 }
  if (asked.by === 'energy') return { by: 'energy', energyWh: Math.ceil(asked.energyDwh / 10) }
  const powerW = rules.billingType === 2 ? Math.min(at.ratedW, rules.bands[0]?.maxWatt ?? at.ratedW) : at.ratedW
  const minutes = minutesFor(rules, heldFen, at.startMs, powerW)
  if (rules.billingType !== 0) return { by: 'duration', durationS: minutes * 60 }
  const { energyDwh } = assumedUsage({ startMs: at.startMs, minutes, powerW })
  return { by: 'energy', energyWh: Math.max(1, Math.floor(energyDwh / 10)) }
}

/** The most minutes that cost no more than this; a price never falls with time. At least one. */
function minutesFor(rules: TariffRules, fen: bigint, startMs: number, powerW: number): number {
  let [low, high] = [1, rules.maxMinutes]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (dearest(rules, middle, startMs, powerW) <= fen) low = middle
    else high = middle - 1
  }
  return low
}
