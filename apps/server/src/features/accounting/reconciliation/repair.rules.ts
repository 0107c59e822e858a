import type { AccountName } from '@wattdeck/contract/accounting/ledger-codes.ts'
import type { Line } from '../../../core/ledger/ledger.ts'

/** The same backwards. */
export const opposite = (lines: readonly Line[]): Line[] => lines.map((line) => ({ ...line, fen: -line.fen }))

/** So much more lies at the provider than we knew, against the organisation's account of corrections. */
export const receivedFen = (provider: number, fen: bigint): Line[] =>
  fen === 0n
    ? []
    : [
        { account: 'channel', owner: String(provider), fen: -fen },
        { account: 'adjustment', owner: '0', fen },
      ]

/** The provider kept so much more than we had booked. */
export const differenceLines = (provider: number, account: AccountName, fen: bigint): Line[] =>
  fen === 0n
    ? []
    : [
        { account: 'channel', owner: String(provider), fen },
        { account, owner: String(provider), fen: -fen },
      ]

export type Split = { paid: bigint; gift: bigint; heldPaid: bigint; heldGift: bigint }
/** What was put aside is used up or goes back where it came from, as when an order is billed. */
export const billLines = (owner: string, { paid, gift, heldPaid, heldGift }: Split): Line[] => [
  { account: 'memberPaidHeld', owner, fen: -heldPaid },
  { account: 'memberGiftHeld', owner, fen: -heldGift },
  { account: 'memberPaid', owner, fen: heldPaid - paid },
  { account: 'memberGift', owner, fen: heldGift - gift },
]
