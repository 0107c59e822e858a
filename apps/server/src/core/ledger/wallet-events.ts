import { accountKind, postingKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import type { StatementEntry, WalletEvent } from '@wattdeck/contract/accounting/statement.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import type { Paging } from '../../kit/db/paging.ts'
import { listEntries } from './statement.ts'

const { hold, release, bill } = postingKind.code
/** Kinds of postings that form one charge, grouped by its order number. */
const chargeKinds = [hold, release, bill]
const isCharge = (kind: number) => (chargeKinds as readonly number[]).includes(kind)
const spent = new Set<number>([
  accountKind.code.memberPaid,
  accountKind.code.memberGift,
  accountKind.code.cardPaid,
  accountKind.code.cardGift,
])

type Account = { id: string; kind: number; summed: boolean }
type Filter = Paging & { from?: string | undefined; to?: string | undefined }
type Leg = {
  id: string
  at: string
  kind: StatementEntry['kind']
  ref: string
  amount_fen: string
  balance_fen: string | null
}

/** SQL condition: only the last entry of each charge. Wallets list events; other accounts list entries. */
const lastOfCharge = sql<boolean>`(entry.kind <> all(${chargeKinds}::smallint[]) or not exists (
  select from entry later where later.ref = entry.ref and later.account_id = entry.account_id and later.seq > entry.seq
    and later.kind = any(${chargeKinds}::smallint[])))`

const inYuan = (fen: bigint) => yuanText(fen)
const entryOf = ({ amount_fen, balance_fen, ...leg }: Leg): StatementEntry => ({
  ...leg,
  amount: inYuan(BigInt(amount_fen)),
  balance: balance_fen === null ? null : inYuan(BigInt(balance_fen)),
})

/** The entries of these charges in one account, oldest first, by order number. */
async function legsOf(db: Db, accountId: string, refs: readonly string[]): Promise<Map<string, Leg[]>> {
  if (refs.length === 0) return new Map()
  const { rows } = await sql<Leg>`
    select posting_id || '-' || line as id, posted_at as at, kind, ref, amount_fen, balance_fen from entry
    where ref = any(${refs}) and account_id = ${accountId} and kind = any(${chargeKinds}::smallint[])
    order by seq`.execute(db)
  return Map.groupBy(rows, ({ ref }) => ref)
}

/** Business events of one account, newest first. */
export async function listEvents(db: Db, account: Account, filter: Filter) {
  const isWallet = spent.has(account.kind)
  const page = await listEntries(db, account, filter, isWallet ? lastOfCharge : undefined)
  const refs = isWallet ? page.rows.filter(({ kind }) => isCharge(kind)).map(({ ref }) => ref) : []
  const legs = await legsOf(db, account.id, refs)
  return { ...page, rows: page.rows.map((row) => eventOf(row, isCharge(row.kind) ? legs.get(row.ref) : undefined)) }
}

function eventOf(row: StatementEntry, legs: readonly Leg[] | undefined): WalletEvent {
  if (legs === undefined || legs.length < 2) return { ...row, held: null, returned: null, legs: [row] }
  const amounts = legs.map(({ amount_fen }) => BigInt(amount_fen))
  const sum = (parts: readonly bigint[]) => parts.reduce((total, fen) => total + fen, 0n)
  return {
    ...row,
    amount: inYuan(sum(amounts)),
    held: inYuan(-sum(amounts.filter((fen) => fen < 0n))),
    returned: inYuan(sum(amounts.filter((fen) => fen > 0n))),
    legs: legs.map(entryOf),
  }
}
