import { countedDays, type RechargeFigures } from '@wattdeck/contract/order/recharge-statistics.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { daysIn } from '../../../core/statistics/stat-periods.rules.ts'

export const rechargeFigures = [
  'recharges',
  'recharged_fen',
  'recharge_gift_fen',
  'recharge_refunds',
  'recharge_refunded_fen',
] as const

export const shownFigures = (sums: Record<(typeof rechargeFigures)[number], bigint>): RechargeFigures => ({
  recharges: Number(sums.recharges),
  amount: yuanText(sums.recharged_fen),
  gift: yuanText(sums.recharge_gift_fen),
  refunds: Number(sums.recharge_refunds),
  refunded: yuanText(sums.recharge_refunded_fen),
  net: yuanText(sums.recharged_fen - sums.recharge_refunded_fen),
})

/** The days of a page if they are few enough to read every recharge; otherwise undefined. */
export function countable(periods: readonly { from: string; to: string }[]): { from: string; to: string } | undefined {
  const [from, to] = [periods.at(-1)?.from, periods[0]?.to]
  if (from === undefined || to === undefined) return undefined
  return daysIn({ from, to }) > countedDays ? undefined : { from, to }
}
