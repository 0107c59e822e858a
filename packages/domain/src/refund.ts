/**
 * Divides an amount by what is left of each part, in whole fen that add up to it: each gets its whole share, and those
 * with the largest remainders one fen more. No part gives more than it has, so that refunds of parts of an order never
 * take more from an income than the order brought.
 */
export function shareByRemainder(amount: bigint, left: readonly bigint[]): bigint[] {
  const sum = left.reduce((all, part) => all + part, 0n)
  if (amount > sum) throw new RangeError('more than there is')
  if (sum === 0n) return left.map(() => 0n)
  const shares = left.map((part) => (amount * part) / sum)
  const missing = Number(amount - shares.reduce((all, share) => all + share, 0n))
  const byRemainder = left
    .map((part, at) => ({ at, remainder: (amount * part) % sum }))
    .toSorted((a, b) => (a.remainder === b.remainder ? a.at - b.at : a.remainder > b.remainder ? -1 : 1))
  for (const { at } of byRemainder.slice(0, missing)) shares[at] = (shares[at] ?? 0n) + 1n
  return shares
}

const least = (a: bigint, b: bigint) => (a < b ? a : b)

/** Own money goes back first: what was given is worth less to who gets it. */
export function backOwnFirst(amount: bigint, left: { paid: bigint; gift: bigint }): { paid: bigint; gift: bigint } {
  if (amount > left.paid + left.gift) throw new RangeError('more than there is')
  const paid = least(amount, left.paid)
  return { paid, gift: amount - paid }
}

type Recharged = { amount: bigint; gift: bigint; giftBack: bigint }
/** `gift`: taken from the gift wallet. `giftSpent`: gone from there already, and taken off what is paid out. */
export type RechargeBack = { gift: bigint; giftSpent: bigint; payout: bigint }

/**
 * A part of a recharge that goes back takes its part of the gift along, rounded up: who recharges, spends the gift and
 * takes the money back has paid for what was spent. `giftBack`: taken before. `giftBalance`: what the gift wallet holds.
 */
export function backOfRecharge(wish: bigint, { amount, gift, giftBack }: Recharged, giftBalance: bigint): RechargeBack {
  const part = least((gift * wish + amount - 1n) / amount, gift - giftBack)
  const fromWallet = least(part, giftBalance)
  const giftSpent = part - fromWallet
  return { gift: fromWallet, giftSpent, payout: wish - giftSpent }
}

/** Ended by the equipment, not by a person or as it was asked for. */
const faults: ReadonlySet<string> = new Set([
  'ambientHot',
  'portHot',
  'noPower',
  'relayFault',
  'flooded',
  'fire',
  'doorOpen',
  'storageFault',
  'overVoltage',
  'underVoltage',
  'powerLoss',
  'emergencyStop',
  'leakage',
  'startFailed',
  'aborted',
])
const shortS = 180

/** Why a charge looks as if nobody should pay for it, in words; none where it looks well. */
export function suspicionsOf(order: {
  stopReason: string | null
  durationS: number | null
  energyDwh: number | null
}): string[] {
  return [
    ...(order.stopReason !== null && faults.has(order.stopReason) ? ['故障结束'] : []),
    ...(order.durationS !== null && order.durationS < shortS ? ['充电不足3分钟'] : []),
    ...(order.energyDwh === 0 ? ['没有电量'] : []),
  ]
}
