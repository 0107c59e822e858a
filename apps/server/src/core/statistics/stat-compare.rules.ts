import { dayAt, daysIn, plusDays, plusMonths, startOf, zoneMs } from './stat-periods.rules.ts'

export type Days = { from: string; to: string }
/** Days, the last of them in full or only so many hours of it. */
export type Part = Days & { hours: number | null }

const monthEnd = (day: string) => plusDays(`${plusMonths(day.slice(0, 7), 1)}-01`, -1)
const isMonthEnd = (day: string) => monthEnd(day) === day

/** The same day so many months later, or the last of a month that has no such day. */
export function shiftMonths(day: string, months: number): string {
  const month = plusMonths(day.slice(0, 7), months)
  const last = monthEnd(`${month}-01`)
  const same = `${month}-${day.slice(8)}`
  return same > last ? last : same
}

const monthsIn = ({ from, to }: Days) =>
  (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(to.slice(5, 7)) - Number(from.slice(5, 7)) + 1

/**
 * By how many months what was before lies back, if it is told by months: a year, or whole months. The last of them may still
 * run. Undefined for days of any kind.
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
 * What days are compared with: as many days before, or the months before where they are whole ones; and the same days a year
 * before. As long as the last day has not passed, up to the last full hour: as much of the others counts. A day that the other
 * month does not have is its last one, which then counts in full.
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

/** The first moment after a part, as a text with its zone. */
export const endOf = ({ to, hours }: Part) => new Date(startOf(to) - zoneMs + (hours ?? 24) * 3_600_000).toISOString()
export const beginOf = (day: string) => new Date(startOf(day) - zoneMs).toISOString()

/** Percent with one decimal; null where there was nothing to compare with. */
export function changeOf(now: bigint, before: bigint): string | null {
  if (before <= 0n) return null
  const tenths = ((now - before) * 2000n + (now >= before ? before : -before)) / (2n * before)
  const digits = (tenths < 0n ? -tenths : tenths).toString().padStart(2, '0')
  return `${tenths < 0n ? '-' : ''}${digits.slice(0, -1)}.${digits.slice(-1)}`
}

export const todayOf = (nowMs: number) => dayAt(nowMs + zoneMs)
