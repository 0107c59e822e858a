import { statPeriods, statSpan } from '@wattdeck/contract/order/statistics.ts'
import { invalid } from '../../kit/http/refusal.ts'

/** A day or a month, with its first and last day. */
export type Period = { name: string; from: string; to: string }
type Params = { span?: 1 | 2 | undefined; from?: string | undefined; to?: string | undefined }

const dayMs = 86_400_000
export const zoneMs = 8 * 3_600_000
export const startOf = (day: string) => Date.parse(`${day}T00:00:00Z`)
export const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10)
export const plusDays = (day: string, days: number) => dayAt(startOf(day) + days * dayMs)
export const plusMonths = (month: string, months: number) => {
  const [year = 0, of = 1] = month.split('-').map(Number)
  const count = year * 12 + of - 1 + months
  return `${String(Math.floor(count / 12)).padStart(4, '0')}-${String((count % 12) + 1).padStart(2, '0')}`
}

/** The periods of a page of figures, latest first. By default they end today and have the usual count. */
export function periodsOf({ span = statSpan.code.day, from, to }: Params, nowMs: number): Period[] {
  const today = dayAt(nowMs + zoneMs)
  const last = to ?? (from !== undefined && from > today ? from : today)
  // Beyond these limits a previous day or a following month may have no valid date.
  if (last < '2000-01-01' || last > '2099-12-31') throw invalid('请选择2000年至2099年之间的日期', 'to')
  if (from !== undefined && from > last) throw invalid('结束日期不能早于开始日期', 'to')
  const { usual, most } = statPeriods[span]
  const days = span === statSpan.code.day
  const [end, begin] = days ? [last, from] : [last.slice(0, 7), from?.slice(0, 7)]
  const back = (count: number) => (days ? plusDays(end, -count) : plusMonths(end, -count))
  const first = begin ?? back(usual - 1)
  if (first < back(most - 1)) throw invalid(days ? `最多查询${most}天` : `最多查询${most}个月`, 'from')
  const periods: Period[] = []
  for (let place = 0; place < most && back(place) >= first; place++) {
    const name = back(place)
    periods.push(days ? { name, from: name, to: name } : monthOf(name))
  }
  return periods
}

const monthOf = (name: string): Period => ({
  name,
  from: `${name}-01`,
  to: plusDays(`${plusMonths(name, 1)}-01`, -1),
})

/** Number of seconds of these days that have passed. */
export function secondsOf({ from, to }: { from: string; to: string }, nowMs: number): number {
  const [begin, end] = [startOf(from) - zoneMs, startOf(to) + dayMs - zoneMs]
  return Math.max(0, Math.floor((Math.min(end, nowMs) - begin) / 1000))
}

export const daysIn = ({ from, to }: { from: string; to: string }) =>
  Math.round((startOf(to) - startOf(from)) / dayMs) + 1
