import {
  type AccountName,
  accountKind,
  type PostingName,
  postingKind,
} from '@wattdeck/contract/accounting/ledger-codes.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import { conflict } from '../../kit/http/refusal.ts'

/** Where a posting belongs: the place of the order or the person it is about. */
type Place = { organiseId: string; agentId: string | null; siteId: string | null }

/** Money into an account (positive) or out of it. The owner is a member, a card, a site, a channel, or '0'. */
export type Line = { account: AccountName; owner: string; fen: bigint }

export type Posting = {
  /** What it is about, said once and for all: 'order/1234/bill'. The same key never moves money twice. */
  key: string
  /** When that thing came to be, ISO 8601: the same at every attempt, or the key would not be known again. */
  keyAt: string
  place: Place
  kind: PostingName
  /** The number that people look for. */
  ref: string
  memo?: string
  by?: string
  /** They add up to nothing. A line of nothing is left out. */
  lines: readonly Line[]
}

type Posted = { key: string; id: string; repeated: boolean }

/**
 * Moves money: all of these postings or none, in the caller's transaction and one round trip. This is the only way.
 * Whether the caller may ask for it is the caller's to decide; a charge concerns a member and a site that one person need
 * not see both of. Refuses with 409 what an account does not hold.
 */
export async function post(db: Db, postings: readonly Posting[]): Promise<Posted[]> {
  const asked = postings.map(({ key, keyAt, place, kind, ref, memo, by, lines }) => ({
    key,
    keyAt,
    organiseId: place.organiseId,
    agentId: place.agentId,
    siteId: place.siteId,
    kind: postingKind.code[kind],
    ref,
    memo: memo ?? null,
    by: by ?? null,
    lines: lines
      .filter(({ fen }) => fen !== 0n)
      .map(({ account, owner, fen }) => [accountKind.code[account], owner, fen.toString()]),
  }))
  try {
    const { rows } = await sql<Posted>`
      select posted_key as key, posting_id as id, repeated from app.post(${JSON.stringify(asked)}::jsonb)`.execute(db)
    return rows
  } catch (error) {
    if (error instanceof Error && 'constraint' in error && error.constraint === 'account_enough')
      throw conflict('余额不足')
    throw error
  }
}

type Params = { account: AccountName; owner: string }

/** What accounts of one organisation hold now; one that nobody has used yet holds nothing. */
export async function balancesOf(db: Db, organiseId: string, asks: readonly Params[]): Promise<bigint[]> {
  const kinds = asks.map(({ account }) => accountKind.code[account])
  const owners = asks.map(({ owner }) => owner)
  const { rows } = await sql<{ fen: string }>`
    select coalesce(app.account_balance(account.id), 0)::text as fen
    from unnest(${kinds}::smallint[], ${owners}::bigint[]) with ordinality as asked (kind, owner_id, i)
    left join account on account.organise_id = ${organiseId} and account.kind = asked.kind and account.owner_id = asked.owner_id
    order by asked.i`.execute(db)
  return rows.map(({ fen }) => BigInt(fen))
}
