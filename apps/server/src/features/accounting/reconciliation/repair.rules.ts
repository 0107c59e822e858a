import type { AccountName } from '@wattdeck/contract/accounting/ledger-codes.ts'
import type { Line } from '../../../core/ledger/ledger.ts'

/** Lines that reverse the given lines. */
export const opposite = (lines: readonly Line[]): Line[] => lines.map((line) => ({ ...line, fen: -line.fen }))

/**
 * The provider holds more than the ledger recorded. The difference is posted against the organisation's account of
 * corrections.
 */
export const receivedFen = (provider: number, fen: bigint): Line[] =>
  fen === 0n
    ? []
    : [
        { account: 'channel', owner: String(provider), fen: -fen },
        { account: 'adjustment', owner: '0', fen },
      ]

/** The provider kept more than the ledger recorded. */
export const differenceLines = (provider: number, account: AccountName, fen: bigint): Line[] =>
  fen === 0n
    ? []
    : [
        { account: 'channel', owner: String(provider), fen },
        { account, owner: String(provider), fen: -fen },
      ]

export type Split = { paid: bigint; gift: bigint; heldPaid: bigint; heldGift: bigint }
/** As at the settlement of an order: reserved money is spent, and the rest is released. */
export const billLines = (owner: string, { paid, gift, heldPaid, heldGift }: Split): Line[] => [
  { account: 'memberPaidHeld', owner, fen: -heldPaid },
  { account: 'memberGiftHeld', owner, fen: -heldGift },
  { account: 'memberPaid', owner, fen: heldPaid - paid },
  { account: 'memberGift', owner, fen: heldGift - gift },
]
