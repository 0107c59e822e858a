import { adjustmentDirection } from '@wattdeck/contract/member/balance-adjustment.ts'
import { wallet } from '@wattdeck/contract/member/member-row.ts'
import type { Line } from '../../../core/ledger/ledger.ts'

type Params = { member_id: string; direction: number; wallet: number; amount_fen: string }

export const accountOf = (part: number) => (part === wallet.code.gift ? 'memberGift' : 'memberPaid')

/** Posts the member's wallet against the organisation's account of manual adjustments. */
export function linesOf({ member_id, direction, wallet: part, amount_fen }: Params): Line[] {
  const fen = direction === adjustmentDirection.code.up ? BigInt(amount_fen) : -BigInt(amount_fen)
  return [
    { account: accountOf(part), owner: member_id, fen },
    { account: 'adjustment', owner: '0', fen: -fen },
  ]
}
