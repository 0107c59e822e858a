/**
 * Divides an amount over the remainders of the parts, in whole fen that add up to it (largest remainder method). No
 * part gives more than it has, so partial refunds never take more from an income than the order brought.
 */
export function shareByRemainder(amount: bigint, available: readonly bigint[]): bigint[] {
  const sum = available.reduce((all, part) => all + part, 0n)
  if (amount > sum) throw new RangeError('the amount exceeds the available sum')
  if (sum === 0n) return available.map(() => 0n)
  const shares = available.map((part) => (amount * part) / sum)
  const missing = Number(amount - shares.reduce((all, share) => all + share, 0n))
  const byRemainder = available
    .map((part, at) => ({ at, remainder: (amount * part) % sum }))
    .toSorted((a, b) => (a.remainder === b.remainder ? a.at - b.at : a.remainder > b.remainder ? -1 : 1))
  for (const { at } of byRemainder.slice(0, missing)) shares[at] = (shares[at] ?? 0n) + 1n
  return shares
}

const least = (a: bigint, b: bigint) => (a < b ? a : b)

/** Refunds own money before gift money, which is worth less to the member. */
export function splitOwnFirst(
  amount: bigint,
  available: { paid: bigint; gift: bigint },
): { paid: bigint; gift: bigint } {
  if (amount > available.paid + available.gift) throw new RangeError('the amount exceeds the available sum')
  const paid = least(amount, available.paid)
  return { paid, gift: amount - paid }
}

type Recharged = { amount: bigint; gift: bigint; giftBack: bigint }
/** `gift`: taken from the gift wallet. `giftSpent`: already spent, and deducted from the payout. */
export type RechargeBack = { gift: bigint; giftSpent: bigint; payout: bigint }

/**
 * A refunded part of a recharge takes back its share of the gift, rounded up, so a member pays for a gift that was
 * spent. `giftBack`: already taken back. `giftBalance`: the balance of the gift wallet.
 */
export function splitRechargeRefund(
  requested: bigint,
  { amount, gift, giftBack }: Recharged,
  giftBalance: bigint,
): RechargeBack {
  const part = least((gift * requested + amount - 1n) / amount, gift - giftBack)
  const fromWallet = least(part, giftBalance)
  const giftSpent = part - fromWallet
  return { gift: fromWallet, giftSpent, payout: requested - giftSpent }
}

/** The equipment ended the charge, neither a person nor the requested limit. */
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

/** Why an order may qualify for a refund, as texts for the reviewer; empty when nothing is suspicious. */
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
