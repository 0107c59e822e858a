import type { AccountName } from '@wattdeck/contract/accounting/ledger-codes.ts'

/** The payer of a charge with the accounts for refunds. Paid and gift money stay separate. */
export type Payer = { owner: string; paid: AccountName; gift: AccountName }

/** Undefined if the payer is unknown. A payment by card is refunded to the card, even if its holder is a known member. */
export function payerOf({ memberId, cardId }: { memberId: string | null; cardId: string | null }): Payer | undefined {
  if (cardId !== null) return { owner: cardId, paid: 'cardPaid', gift: 'cardGift' }
  return memberId === null ? undefined : { owner: memberId, paid: 'memberPaid', gift: 'memberGift' }
}
