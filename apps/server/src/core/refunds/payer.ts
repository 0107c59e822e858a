import type { AccountName } from '@wattdeck/contract/accounting/ledger-codes.ts'

/** Whose money a charge was paid with, and the accounts it goes back to: paid and given stay apart. */
export type Payer = { owner: string; paid: AccountName; gift: AccountName }

/** Undefined where nobody is known to have paid. What a card paid goes back to the card, also where its carrier is known. */
export function payerOf({ memberId, cardId }: { memberId: string | null; cardId: string | null }): Payer | undefined {
  if (cardId !== null) return { owner: cardId, paid: 'cardPaid', gift: 'cardGift' }
  return memberId === null ? undefined : { owner: memberId, paid: 'memberPaid', gift: 'memberGift' }
}
