import type { AccountName } from '@wattdeck/contract/accounting/ledger-codes.ts'
import type { Db } from '../../kit/db/db.ts'
import { balancesOf, type Line } from '../ledger/ledger.ts'

/** The wallet or card that pays for a charge. */
export type Payer = { kind: 'member' | 'card'; id: string }
/** Paid balance and gift balance. */
export type Funds = { paidFen: bigint; giftFen: bigint }

/** The card pays for an order that it started, even if its holder is a known member. */
export function payerOf({ memberId, cardId }: { memberId: string | null; cardId: string | null }): Payer | undefined {
  if (cardId !== null) return { kind: 'card', id: cardId }
  return memberId === null ? undefined : { kind: 'member', id: memberId }
}

type Part = 'paid' | 'gift' | 'paidHeld' | 'giftHeld'
const accounts: Record<Payer['kind'], Record<Part, AccountName>> = {
  member: { paid: 'memberPaid', gift: 'memberGift', paidHeld: 'memberPaidHeld', giftHeld: 'memberGiftHeld' },
  card: { paid: 'cardPaid', gift: 'cardGift', paidHeld: 'cardPaidHeld', giftHeld: 'cardGiftHeld' },
}

const line = ({ kind, id }: Payer, part: Part, fen: bigint): Line => ({ account: accounts[kind][part], owner: id, fen })

export async function fundsOf(db: Db, organiseId: string, payer: Payer): Promise<Funds> {
  const { paid, gift } = accounts[payer.kind]
  const [paidFen = 0n, giftFen = 0n] = await balancesOf(db, organiseId, [
    { account: paid, owner: payer.id },
    { account: gift, owner: payer.id },
  ])
  return { paidFen, giftFen }
}

/** Uses the paid balance first, then the gift balance. */
export function ownFirst({ paidFen: paid }: Funds, amountFen: bigint): Funds {
  const paidFen = paid < amountFen ? paid : amountFen
  return { paidFen, giftFen: amountFen - paidFen }
}

export const reserveLines = (payer: Payer, { paidFen, giftFen }: Funds): Line[] => [
  line(payer, 'paid', -paidFen),
  line(payer, 'paidHeld', paidFen),
  line(payer, 'gift', -giftFen),
  line(payer, 'giftHeld', giftFen),
]

/** Clears the whole reservation and returns `back` to the balances. */
export const releaseLines = (payer: Payer, reserved: Funds, back: Funds): Line[] => [
  line(payer, 'paidHeld', -reserved.paidFen),
  line(payer, 'giftHeld', -reserved.giftFen),
  line(payer, 'paid', back.paidFen),
  line(payer, 'gift', back.giftFen),
]
