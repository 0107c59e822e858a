import type { OrderFigures } from '@wattdeck/contract/order/order-statistics.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { revenueOf } from '../../../core/statistics/revenue.rules.ts'

export const orderFigures = [
  'orders',
  'released',
  'visits',
  'seconds',
  'energy_dwh',
  'electricity_fen',
  'service_fen',
  'occupancy_fen',
  'paid_fen',
  'gift_fen',
  'discount_fen',
  'refunded_fen',
] as const
type OrderSums = Record<(typeof orderFigures)[number], bigint>

/** Half a fen is rounded up. */
const averageOf = (fen: bigint, count: bigint) => (count === 0n ? null : yuanText((2n * fen + count) / (2n * count)))

/** Percent with two decimals. */
function usageOf(seconds: bigint, ports: bigint, passedS: number): string | null {
  const most = ports * BigInt(passedS)
  return most <= 0n ? null : yuanText((seconds * 20_000n + most) / (2n * most))
}

type Circumstance = {
  ports: bigint
  /** Seconds of the period that have passed. */
  passedS: number
  /** Visits were counted on all of these days. */
  hasVisits: boolean
}

/** The counted sums as displayed figures. */
export const shownFigures = (sums: OrderSums, { ports, passedS, hasVisits }: Circumstance): OrderFigures => ({
  orders: Number(sums.orders + sums.released),
  charges: Number(sums.orders),
  visits: hasVisits ? Number(sums.visits) : null,
  seconds: Number(sums.seconds),
  energyDwh: Number(sums.energy_dwh),
  revenue: yuanText(revenueOf(sums)),
  electricity: yuanText(sums.electricity_fen),
  service: yuanText(sums.service_fen),
  occupancy: yuanText(sums.occupancy_fen),
  discount: yuanText(sums.discount_fen),
  gift: yuanText(sums.gift_fen),
  paid: yuanText(sums.paid_fen),
  refunded: yuanText(sums.refunded_fen),
  average: averageOf(sums.paid_fen, sums.orders),
  usage: usageOf(sums.seconds, ports, passedS),
})

/** Hours with two decimals. */
export const hoursText = (seconds: number) => yuanText((BigInt(seconds) * 200n + 3600n) / 7200n)
