import type { Figure, FigureName } from '@wattdeck/contract/dashboard/work-table.ts'
import { statSpan } from '@wattdeck/contract/order/statistics.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { revenueOf } from './revenue.rules.ts'
import type { Moments } from './stat-moments.store.ts'
import { plusDays } from './stat-periods.rules.ts'

const zoneMs = 8 * 3_600_000

type Compared = {
  /** All of the day or month, until now. */
  whole: { days: { from: string; to: string } }
  /** Of it, and of the one before, what lies before the last full hour; nothing when none has passed. */
  soFar?: { now: Moments; before: Moments; upto: string }
}

/**
 * What is laid side by side. A day that is running is compared with the same hours of the day before, a month with the same
 * days and hours of the month before; figures are kept by the hour, so both end with the last hour that is full. Of a
 * month that is shorter all of it counts.
 */
export function comparedAt(span: 1 | 2 | undefined, nowMs: number): Compared {
  const local = new Date(nowMs + zoneMs).toISOString()
  const [today, hour] = [local.slice(0, 10), local.slice(11, 13)]
  const upto = `${today} ${hour}:00:00`
  const hours = (day: string) => (hour === '00' ? {} : { hours: { from: at(day, '00'), upto: at(day, hour) } })
  if (span !== statSpan.code.month) {
    const whole = { days: { from: today, to: today } }
    if (hour === '00') return { whole }
    return { whole, soFar: { now: hours(today), before: hours(plusDays(today, -1)), upto } }
  }
  const first = `${today.slice(0, 7)}-01`
  const lastOfBefore = plusDays(first, -1)
  const month = lastOfBefore.slice(0, 7)
  const same = `${month}-${today.slice(8)}`
  const whole = { days: { from: first, to: today } }
  if (today === first && hour === '00') return { whole }
  const until = (from: string, day: string): Moments => ({
    ...(day === from ? {} : { days: { from, to: plusDays(day, -1) } }),
    ...hours(day),
  })
  const before = same > lastOfBefore ? { days: { from: `${month}-01`, to: lastOfBefore } } : until(`${month}-01`, same)
  return { whole, soFar: { now: until(first, today), before, upto } }
}
const at = (day: string, hour: string) => `${day}T${hour}:00:00+08:00`

type Happened = Exclude<FigureName, 'online' | 'faults' | 'income' | 'installs' | 'tickets'>
type Sums = Record<(typeof happenedFigures)[Happened][number], bigint>
/** What is read for each. */
export const happenedFigures = {
  revenue: ['electricity_fen', 'service_fen', 'occupancy_fen', 'paid_fen', 'refunded_fen'],
  orders: ['orders', 'released'],
  energy: ['energy_dwh'],
  members: ['members'],
  recharges: ['recharged_fen', 'recharge_refunded_fen'],
} as const

type Part = Figure['parts'][number]
type Shown = { value: (sums: Sums) => string; parts: (sums: Sums) => Part[] }
/** As order statistics say it: revenue of the bills, and charges that ended, billed or let go. */
export const shownAs: Readonly<Record<Happened, Shown>> = {
  revenue: {
    value: (sums) => yuanText(revenueOf(sums)),
    parts: ({ paid_fen, refunded_fen }) => [
      { label: '实收', value: yuanText(paid_fen) },
      { label: '退款', value: yuanText(refunded_fen) },
    ],
  },
  orders: {
    value: ({ orders, released }) => String(orders + released),
    parts: ({ orders }) => [{ label: '已计费', value: String(orders) }],
  },
  energy: { value: ({ energy_dwh }) => String(energy_dwh), parts: () => [] },
  members: { value: ({ members }) => String(members), parts: () => [] },
  recharges: {
    value: ({ recharged_fen }) => yuanText(recharged_fen),
    parts: ({ recharge_refunded_fen }) => [{ label: '退款', value: yuanText(recharge_refunded_fen) }],
  },
}
