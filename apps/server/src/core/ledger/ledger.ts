import {
  type AccountName,
  accountKind,
  type PostingName,
  postingKind,
} from '@wattdeck/contract/accounting/ledger-codes.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import { conflict } from '../../kit/http/refusal.ts'

/** The owner of a posting: organisation, agent and site of its order or person. */
type Place = { organiseId: string; agentId: string | null; siteId: string | null }

/** Money into an account (positive) or out of it (negative). The owner is a member, a card, a site, a channel, or '0'. */
export type Line = { account: AccountName; owner: string; fen: bigint }

export type Posting = {
  /** Idempotency key, for example 'order/1234/bill'. The same key never moves money twice. */
  key: string
  /** Creation time of the subject, ISO 8601. It must be equal on every retry, because the key is stored with it. */
  keyAt: string
  place: Place
  kind: PostingName
  /** The number by which staff search. */
  ref: string
  memo?: string
  by?: string
  /** A gift to a member ends at the end of the day that is so many days after this one. Absent: it never ends. */
  giftValidDays?: number
  /** The reference of the gift that is taken back first, when gift money of a member leaves. */
  giftFrom?: string
  /** The lines add up to zero. Lines of zero are skipped. */
  lines: readonly Line[]
}

type Posted = { key: string; id: string; repeated: boolean }

/**
 * The only way to move money: writes all of these postings or none, in the caller's transaction and one round trip. The
 * caller checks its own authorisation, because a charge concerns a member and a site that one person may not both see.
 * Throws 409 if an account has too little balance.
 */
export async function post(db: Db, postings: readonly Posting[]): Promise<Posted[]> {
  const requests = postings.map(({ key, keyAt, place, kind, ref, memo, by, lines, giftValidDays, giftFrom }) => ({
    key,
    keyAt,
    organiseId: place.organiseId,
    agentId: place.agentId,
    siteId: place.siteId,
    kind: postingKind.code[kind],
    ref,
    memo: memo ?? null,
    by: by ?? null,
    // Absent rather than null, because the key is stored with a hash of the whole posting.
    ...(giftValidDays === undefined ? {} : { giftValidDays }),
    ...(giftFrom === undefined ? {} : { giftFrom }),
    lines: lines
      .filter(({ fen }) => fen !== 0n)
      .map(({ account, owner, fen }) => [accountKind.code[account], owner, fen.toString()]),
  }))
  try {
    const { rows } = await sql<Posted>`
      select posted_key as key, posting_id as id, repeated from app.post(${JSON.stringify(requests)}::jsonb)`.execute(
      db,
    )
    return rows
  } catch (error) {
    if (error instanceof Error && 'constraint' in error && error.constraint === 'account_enough')
      throw conflict('余额不足')
    throw error
  }
}

type Params = { account: AccountName; owner: string }

/** Current balances of accounts of one organisation; an account that does not exist yet has zero. */
export async function balancesOf(db: Db, organiseId: string, asks: readonly Params[]): Promise<bigint[]> {
  const kinds = asks.map(({ account }) => accountKind.code[account])
  const owners = asks.map(({ owner }) => owner)
  const { rows } = await sql<{ fen: string }>`
    select coalesce(app.account_balance(account.id), 0)::text as fen
    from unnest(${kinds}::smallint[], ${owners}::bigint[]) with ordinality as wanted (kind, owner_id, i)
    left join account on account.organise_id = ${organiseId} and account.kind = wanted.kind and account.owner_id = wanted.owner_id
    order by wanted.i`.execute(db)
  return rows.map(({ fen }) => BigInt(fen))
}
