import type { DeviceLimit } from '@wattdeck/domain/tariff/limit.ts'
import { price } from '@wattdeck/domain/tariff/price.ts'
import type { TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import type { Usage } from '@wattdeck/domain/tariff/usage.ts'

/** The simulated charge of a battery: energy minute by minute, and the time and reason of its end. */
export type Random = () => number
type Battery = { needWh: number; watts: number }
/** After each minute, from 0 on; the last is when the battery is full. Counted in whole 10 Wh, as most devices do. */
export type Course = { powerDw: number[]; energyWh: number[] }
export type Charged = { usage: Usage & { peakPowerDw: number }; energyWh: number; stop: Stop }
type Stop = 'full' | 'presetDuration' | 'presetEnergy' | 'unplugged' | 'remote'

export const minuteMs = 60_000
/** Devices report every five minutes. */
const reportMin = 5
const longestMin = 720

const between = (random: Random, from: number, to: number) => from + random() * (to - from)

/** Most are bike batteries; some belong to couriers, who ride all day. */
export const batteryOf = (random: Random): Battery =>
  random() < 0.18
    ? { needWh: between(random, 1400, 3200), watts: between(random, 380, 720) }
    : { needWh: between(random, 350, 1300), watts: between(random, 120, 310) }

/** Constant current up to three quarters, then fading until the charger stops. */
export function courseOf({ needWh, watts }: Battery, random: Random): Course {
  const course: Course = { powerDw: [0], energyWh: [0] }
  let into = 0
  while (into < needWh && course.powerDw.length <= longestMin) {
    const fade = Math.min(1, Math.max(0.1, (needWh - into) / needWh / 0.25))
    const power = watts * fade * between(random, 0.985, 1.015)
    into += power / 60
    course.powerDw.push(Math.round(power * 10))
    course.energyWh.push(Math.floor(into / 10) * 10)
  }
  course.powerDw[0] = course.powerDw[1] ?? 0
  return course
}

/** The metered usage after an end at this many minutes; `restS` are the seconds of the last one. */
export function usageAfter({ powerDw, energyWh }: Course, startMs: number, minutes: number, restS = 0) {
  const durationS = minutes * 60 + restS
  const reports = Array.from({ length: Math.floor(minutes / reportMin) }, (_, place) => (place + 1) * reportMin)
  return {
    startMs,
    endMs: startMs + durationS * 1000,
    durationS,
    energyDwh: (energyWh[minutes] ?? 0) * 10,
    samples: reports.map((minute) => ({
      atMs: startMs + minute * minuteMs,
      energyDwh: (energyWh[minute] ?? 0) * 10,
      powerDw: powerDw[minute] ?? 0,
    })),
    peakPowerDw: powerDw.slice(0, minutes + 1).reduce((most, power) => Math.max(most, power), 0),
  }
}

type Params = {
  course: Course
  rules: TariffRules
  limit: DeviceLimit
  heldFen: bigint
  startMs: number
  random: Random
}

/** Ends as a device, a person or the platform would end it, whichever comes first. */
export function charge({ course, rules, limit, heldFen, startMs, random }: Params): Charged {
  const fullMin = Math.min(course.powerDw.length - 1, rules.maxMinutes)
  const ends: { minutes: number; stop: Stop }[] = [{ minutes: fullMin, stop: 'full' }]
  if (limit.by === 'duration') ends.push({ minutes: Math.floor(limit.durationS / 60), stop: 'presetDuration' })
  if (limit.by === 'energy') ends.push({ minutes: reached(course, limit.energyWh), stop: 'presetEnergy' })
  const mood = random()
  if (mood < 0.02) ends.push({ minutes: 2, stop: 'unplugged' })
  else if (mood < 0.2) ends.push({ minutes: Math.ceil(fullMin * between(random, 0.4, 0.95)), stop: 'unplugged' })
  else if (mood < 0.3) ends.push({ minutes: Math.ceil(fullMin * between(random, 0.3, 0.9)), stop: 'remote' })
  const first = ends.reduce((a, b) => (b.minutes < a.minutes ? b : a))
  // The platform stops it when the money is used up before.
  const paidMin = affordable(course, rules, heldFen, startMs, first.minutes)
  const { minutes, stop } = paidMin < first.minutes ? { minutes: paidMin, stop: 'remote' as const } : first
  const restS = stop === 'unplugged' || stop === 'remote' ? Math.floor(random() * 60) : 0
  return { usage: usageAfter(course, startMs, minutes, restS), energyWh: course.energyWh[minutes] ?? 0, stop }
}

const reached = ({ energyWh }: Course, wantedWh: number): number => {
  const at = energyWh.findIndex((energy) => energy >= wantedWh)
  return at === -1 ? energyWh.length : at
}

/** The most minutes within this amount; a price never falls with time. */
function affordable(course: Course, rules: TariffRules, fen: bigint, startMs: number, longest: number): number {
  let [low, high] = [1, Math.max(1, longest)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (price(rules, usageAfter(course, startMs, middle)).totalFen <= fen) low = middle
    else high = middle - 1
  }
  return low
}
