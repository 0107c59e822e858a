import type { AccountName } from '@wattdeck/contract/accounting/ledger-codes.ts'
import type { Db } from '../../kit/db/db.ts'
import { balancesOf, type Line } from '../ledger/ledger.ts'

/** Whose money a charge is paid from. */
export type Payer = { kind: 'member' | 'card'; id: string }
/** What was paid in, and what was given. */
export type Funds = { paidFen: bigint; giftFen: bigint }

/** Of an order that a card began the card pays, also where it is known who carries it. */
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

/** Own money first, then what was given. */
export function ownFirst({ paidFen: paid }: Funds, wantedFen: bigint): Funds {
  const paidFen = paid < wantedFen ? paid : wantedFen
  return { paidFen, giftFen: wantedFen - paidFen }
}

export const putAside = (payer: Payer, { paidFen, giftFen }: Funds): Line[] => [
  line(payer, 'paid', -paidFen),
  line(payer, 'paidHeld', paidFen),
  line(payer, 'gift', -giftFen),
  line(payer, 'giftHeld', giftFen),
]

/** All that was put aside is taken from there; so much of it goes back. */
export const givenBack = (payer: Payer, held: Funds, back: Funds): Line[] => [
  line(payer, 'paidHeld', -held.paidFen),
  line(payer, 'giftHeld', -held.giftFen),
  line(payer, 'paid', back.paidFen),
  line(payer, 'gift', back.giftFen),
]
