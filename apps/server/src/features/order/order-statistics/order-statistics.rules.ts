import type { OrderFigures } from '@wattdeck/contract/order/order-statistics.ts'
import { yuanText } from '@wattdeck/domain/money.ts'

export const orderFigures = [
  'orders',
  'released',
  'seconds',
  'energy_dwh',
  'electricity_fen',
  'service_fen',
  'occupancy_fen',
  'paid_fen',
  'gift_fen',
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

/** What was counted, as it is shown: of so many ports, in a time of which so much has passed. */
export const shownFigures = (sums: OrderSums, ports: bigint, passedS: number): OrderFigures => ({
  orders: Number(sums.orders + sums.released),
  charges: Number(sums.orders),
  seconds: Number(sums.seconds),
  energyDwh: Number(sums.energy_dwh),
  electricity: yuanText(sums.electricity_fen),
  service: yuanText(sums.service_fen),
  occupancy: yuanText(sums.occupancy_fen),
  gift: yuanText(sums.gift_fen),
  paid: yuanText(sums.paid_fen),
  refunded: yuanText(sums.refunded_fen),
  average: averageOf(sums.paid_fen, sums.orders),
  usage: usageOf(sums.seconds, ports, passedS),
})

/** Hours with two decimals. */
export const hoursText = (seconds: number) => yuanText((BigInt(seconds) * 200n + 3600n) / 7200n)
