import { accountKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'

/** Balances of a member in fen: available, and reserved for open charges. */
export type Wallet = { paid: bigint; gift: bigint; paidHeld: bigint; giftHeld: bigint }

const { memberPaid, memberGift, memberPaidHeld, memberGiftHeld } = accountKind.code
const parts = new Map<number, keyof Wallet>([
  [memberPaid, 'paid'],
  [memberGift, 'gift'],
  [memberPaidHeld, 'paidHeld'],
  [memberGiftHeld, 'giftHeld'],
])
const empty: Wallet = { paid: 0n, gift: 0n, paidHeld: 0n, giftHeld: 0n }

/** The wallets of some members, in one query. A member without accounts has an empty wallet. */
export async function walletsOf(db: Db, memberIds: readonly string[]): Promise<Map<string, Wallet>> {
  const wallets = new Map(memberIds.map((id) => [id, { ...empty }]))
  const accounts = await db
    .selectFrom('account')
    .select(['kind', 'owner_id', 'balance_fen'])
    .where('kind', '=', sql<number>`any(${[...parts.keys()]}::smallint[])`)
    .where('owner_id', '=', sql<string>`any(${memberIds}::bigint[])`)
    .execute()
  for (const { kind, owner_id, balance_fen } of accounts) {
    const wallet = wallets.get(owner_id)
    const part = parts.get(kind)
    if (wallet !== undefined && part !== undefined) wallet[part] = BigInt(balance_fen)
  }
  return wallets
}
