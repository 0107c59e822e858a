import { dayAt, daysIn, plusDays, plusMonths, startOf, zoneMs } from './stat-periods.rules.ts'

export type Days = { from: string; to: string }
/** A range of days; `hours` limits the last day to that many hours, null means the full day. */
export type Part = Days & { hours: number | null }

const monthEnd = (day: string) => plusDays(`${plusMonths(day.slice(0, 7), 1)}-01`, -1)
const isMonthEnd = (day: string) => monthEnd(day) === day

/** The same day `months` later, or the last day of a month without that day. */
export function shiftMonths(day: string, months: number): string {
  const month = plusMonths(day.slice(0, 7), months)
  const last = monthEnd(`${month}-01`)
  const same = `${month}-${day.slice(8)}`
  return same > last ? last : same
}

const monthsIn = ({ from, to }: Days) =>
  (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(to.slice(5, 7)) - Number(from.slice(5, 7)) + 1

/**
 * The distance to the previous period in months, if the period is a year or whole months; the last month may be
 * incomplete. Undefined for other ranges of days.
 */
function monthsBack(days: Days, today: string): number | undefined {
  const { from, to } = days
  const runs = to >= today
  if (!from.endsWith('-01') || !(runs || isMonthEnd(to))) return undefined
  const months = monthsIn(days)
  const year = from.endsWith('-01-01') && from.slice(0, 4) === to.slice(0, 4) && months > 1
  return year && (runs || to.endsWith('-12-31')) ? 12 : months
}

type Compared = { until: string | null; part: Part | null; previous: Part; lastYear: Part }

/**
 * The periods to compare days with: as many days before, or the months before for whole months, and the same days a year
 * before. If the last day is not over, all periods end at its last full hour. A day that the other month lacks becomes
 * that month's last day, which counts in full.
 */
export function comparedOf(days: Days, nowMs: number): Compared {
  const now = new Date(nowMs + zoneMs).toISOString()
  const [today, hour] = [now.slice(0, 10), Number(now.slice(11, 13))]
  const months = monthsBack(days, today)
  const runs = days.to >= today
  const whole = !runs && days.from.endsWith('-01') && isMonthEnd(days.to)
  const last = runs ? today : days.to
  const byMonths = (count: number): Part => {
    const from = shiftMonths(days.from, -count)
    const to = shiftMonths(last, -count)
    if (!runs) return { from, to: whole ? monthEnd(to) : to, hours: null }
    return { from, to, hours: to.slice(8) === last.slice(8) ? hour : null }
  }
  const byDays = (count: number): Part => ({
    from: plusDays(days.from, -count),
    to: plusDays(last, -count),
    hours: runs ? hour : null,
  })
  return {
    until: runs ? `${today} ${String(hour).padStart(2, '0')}:00` : null,
    part: days.from > today ? null : { from: days.from, to: last, hours: runs ? hour : null },
    previous: months === undefined ? byDays(daysIn(days)) : byMonths(months),
    lastYear: byMonths(12),
  }
}

/** The end of a part (exclusive), as a text with time zone. */
export const endOf = ({ to, hours }: Part) => new Date(startOf(to) - zoneMs + (hours ?? 24) * 3_600_000).toISOString()
export const beginOf = (day: string) => new Date(startOf(day) - zoneMs).toISOString()

/** Change in percent with one decimal; null if the previous value is not positive. */
export function changeOf(now: bigint, before: bigint): string | null {
  if (before <= 0n) return null
  const tenths = ((now - before) * 2000n + (now >= before ? before : -before)) / (2n * before)
  const digits = (tenths < 0n ? -tenths : tenths).toString().padStart(2, '0')
  return `${tenths < 0n ? '-' : ''}${digits.slice(0, -1)}.${digits.slice(-1)}`
}

export const todayOf = (nowMs: number) => dayAt(nowMs + zoneMs)
