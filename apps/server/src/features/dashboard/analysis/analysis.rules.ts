import {
  analysisDays,
  type AnalysisFigure,
  analysisGrain,
  type AnalysisGrain,
} from '@wattdeck/contract/dashboard/analysis.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { energyText } from '@wattdeck/domain/tariff/labels.ts'
import { invalid } from '../../../kit/http/refusal.ts'
import { revenueOf } from '../../../core/statistics/revenue.rules.ts'
import type { Days } from '../../../core/statistics/stat-compare.rules.ts'
import {
  daysIn,
  periodsOf,
  plusDays,
  plusMonths,
  secondsOf,
  startOf,
  zoneMs,
} from '../../../core/statistics/stat-periods.rules.ts'

type Params = { from?: string | undefined; to?: string | undefined }

/** The requested days: thirty by default, at most a year. */
export function rangeOf({ from, to }: Params, nowMs: number): Days {
  const days = periodsOf({ from, to }, nowMs)
  return { from: days.at(-1)?.name ?? '', to: days[0]?.name ?? '' }
}

/** Comparisons by hour of the day cover only the last of these days. */
export function latest({ from, to }: Days): Days {
  const first = plusDays(to, 1 - analysisDays.heat)
  return { from: from < first ? first : from, to }
}

export function grainOf(days: Days, requestedGrain: AnalysisGrain | undefined): AnalysisGrain {
  const count = daysIn(days)
  const { hour, day, week, month } = analysisGrain.code
  if (requestedGrain === hour && count > analysisDays.hours)
    throw invalid(`按小时最多查询${analysisDays.hours}天`, 'grain')
  return requestedGrain ?? (count <= 2 ? hour : count <= 31 ? day : count <= 184 ? week : month)
}

/** A bucket of the time axis: its name, and how many of its seconds have passed. */
type Bucket = { name: string; seconds: number }

const hourNames = (day: string) => Array.from({ length: 24 }, (_, hour) => `${day} ${String(hour).padStart(2, '0')}:00`)
const mondayOf = (day: string) => plusDays(day, -((new Date(startOf(day)).getUTCDay() + 6) % 7))
const hourSeconds = (name: string, nowMs: number) => {
  const begin = Date.parse(`${name.replace(' ', 'T')}:00Z`) - zoneMs
  return Math.max(0, Math.min(3600, Math.floor((nowMs - begin) / 1000)))
}

export function bucketsOf(days: Days, grain: AnalysisGrain, nowMs: number): Bucket[] {
  const { hour, day, week } = analysisGrain.code
  const buckets = new Map<string, number>()
  for (let one = days.from; one <= days.to; one = plusDays(one, 1)) {
    if (grain === hour) for (const name of hourNames(one)) buckets.set(name, hourSeconds(name, nowMs))
    else {
      const name = grain === day ? one : grain === week ? mondayOf(one) : one.slice(0, 7)
      buckets.set(name, (buckets.get(name) ?? 0) + secondsOf({ from: one, to: one }, nowMs))
    }
  }
  return [...buckets].map(([name, seconds]) => ({ name, seconds }))
}

/** The elapsed seconds of each hour of the day within these days. */
export function secondsByHour(days: Days, nowMs: number): number[] {
  const passed = Array.from({ length: 24 }, () => 0)
  for (const { name, seconds } of bucketsOf(days, analysisGrain.code.hour, nowMs)) {
    const hour = Number(name.slice(11, 13))
    passed[hour] = (passed[hour] ?? 0) + seconds
  }
  return passed
}

/** Percent with two decimals; null if the whole is not positive. */
export const percentOf = (part: bigint, whole: bigint) =>
  whole <= 0n ? null : yuanText((part * 20_000n + whole) / (2n * whole))

export const kpiFigures = [
  'orders',
  'released',
  'energy_dwh',
  'electricity_fen',
  'service_fen',
  'occupancy_fen',
  'refunded_fen',
  'members',
  'recharged_fen',
] as const
export type KpiSums = Record<(typeof kpiFigures)[number], bigint>

export const ordersOf = (sums: { orders: bigint; released: bigint }) => sums.orders + sums.released

export const figureOf: Record<AnalysisFigure, (sums: KpiSums) => bigint> = {
  revenue: revenueOf,
  orders: ordersOf,
  energy: (sums) => sums.energy_dwh,
  service: (sums) => sums.service_fen,
  refunded: (sums) => sums.refunded_fen,
  members: (sums) => sums.members,
  recharged: (sums) => sums.recharged_fen,
}
const counted = new Set<AnalysisFigure>(['orders', 'members'])
export const figureText = (key: AnalysisFigure, value: bigint) =>
  counted.has(key) ? value.toString() : key === 'energy' ? energyText(Number(value)) : yuanText(value)
/** Members and recharges belong to no type of device. */
export const untyped: ReadonlySet<AnalysisFigure> = new Set(['members', 'recharged'])

/** The registration months of the cohorts: those of the days, at least six and at most twelve. */
export function cohortsOf({ from, to }: Days): string[] {
  const last = to.slice(0, 7)
  const names: string[] = []
  for (let back = 0; back < 12; back++) {
    const name = plusMonths(last, -back)
    if (back >= 6 && name < from.slice(0, 7)) break
    names.unshift(name)
  }
  return names
}

type DowntimeGroup = { hour: number; down: bigint; earned: bigint; ports: bigint }
/**
 * Estimates the lost revenue. A port that was down would have earned as much as others of its type in the same hour.
 */
export function lostOf(groups: readonly DowntimeGroup[], passed: readonly number[]): bigint | null {
  const parts = groups.flatMap(({ hour, down, earned, ports }) => {
    const up = ports * BigInt(passed[hour] ?? 0) - down
    return down === 0n ? [] : up <= 0n ? [null] : [(down * earned * 1_000_000n) / up]
  })
  const estimates = parts.filter((part) => part !== null)
  if (estimates.length === 0) return parts.length === 0 ? 0n : null
  return (estimates.reduce((sum, part) => sum + part, 0n) + 500_000n) / 1_000_000n
}
