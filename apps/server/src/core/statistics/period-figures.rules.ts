import type { Figure, FigureName } from '@wattdeck/contract/dashboard/work-table.ts'
import { statSpan } from '@wattdeck/contract/order/statistics.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { revenueOf } from './revenue.rules.ts'
import type { Moments } from './stat-moments.store.ts'
import { plusDays } from './stat-periods.rules.ts'

const zoneMs = 8 * 3_600_000

type Compared = {
  /** The whole day or month until now. */
  whole: { days: { from: string; to: string } }
  /** This and the previous period, each up to the last full hour; absent before the first full hour. */
  soFar?: { now: Moments; before: Moments; upto: string }
}

/**
 * The periods to compare: the current day with the same hours of the day before, or the current month with the same days
 * and hours of the month before. Figures are stored by the hour, so both end with the last full hour. A shorter month
 * counts in full.
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
/** The columns that each figure needs. */
export const happenedFigures = {
  revenue: ['electricity_fen', 'service_fen', 'occupancy_fen', 'paid_fen', 'refunded_fen'],
  orders: ['orders', 'released'],
  energy: ['energy_dwh'],
  members: ['members'],
  recharges: ['recharged_fen', 'recharge_refunded_fen'],
} as const

type Part = Figure['parts'][number]
type FigureFormat = { value: (sums: Sums) => string; parts: (sums: Sums) => Part[] }
/** Same definitions as in order statistics: revenue is the sum of bills, orders are billed plus released charges. */
export const shownAs: Readonly<Record<Happened, FigureFormat>> = {
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
