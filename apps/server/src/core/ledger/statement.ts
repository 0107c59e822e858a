import type { StatementEntry } from '@wattdeck/contract/accounting/statement.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import { type ListKey, pageOf, type Paging } from '../../kit/db/paging.ts'

/** Both included, 'YYYY-MM-DD' in Shanghai. */
export type Days = { from: string; to: string }
export type Figures = { opening: bigint; income: bigint; expense: bigint; closing: bigint; updatedAt: string | null }
type Read = { id: string; opening: string; income: string; expense: string; updatedAt: string | null }

/**
 * Opening balance, income and expense of accounts over some days. An account with running balances takes the opening
 * balance from its last earlier entry. A summed account uses daily totals plus the entries since the ledger edge. One SQL
 * statement gives a consistent snapshot.
 *
 * A caller who sees an account only from some day on, because its site changed hands, gets the statement from that day.
 * Row-level security hides earlier entries; the opening balance is derived from the first visible entry.
 */
export async function figuresOf(db: Db, ids: readonly string[], { from, to }: Days): Promise<Map<string, Figures>> {
  const since = sql`${from}::date::timestamptz`
  const until = sql`(${to}::date + 1)::timestamptz`
  const { rows } = await sql<Read>`
    with fresh as materialized (
      select account_id, amount_fen, posted_at from entry
      where later >= (select upto from ledger_edge) and account_id = any(${ids}::bigint[])
    )
    select account.id, before.fen::text as opening, moved.income::text as income, moved.expense::text as expense,
      (select entry.posted_at from entry where entry.account_id = account.id order by posted_at desc limit 1) as "updatedAt"
    from account
    cross join lateral (
      select case when account.summed then
          coalesce((select sum(in_fen - out_fen) from account_day where account_id = account.id and day < ${from}::date), 0)
          + coalesce((select sum(amount_fen) from fresh where account_id = account.id and posted_at < ${since}), 0)
        else coalesce(
          (select entry.balance_fen from entry where entry.account_id = account.id and posted_at < ${since}
            order by posted_at desc, seq desc limit 1),
          (select entry.balance_fen - entry.amount_fen from entry where entry.account_id = account.id and posted_at >= ${since}
            order by posted_at, seq limit 1),
          account.balance_fen) end as fen
    ) before
    cross join lateral (
      select coalesce(sum(part.income), 0) as income, coalesce(sum(part.expense), 0) as expense from (
        select in_fen as income, out_fen as expense from account_day
        where account.summed and account_id = account.id and day between ${from}::date and ${to}::date
        union all
        select greatest(amount_fen, 0), greatest(-amount_fen, 0) from fresh
        where account.summed and account_id = account.id and posted_at >= ${since} and posted_at < ${until}
        union all
        select greatest(amount_fen, 0), greatest(-amount_fen, 0) from entry
        where not account.summed and entry.account_id = account.id and posted_at >= ${since} and posted_at < ${until}
      ) part
    ) moved
    where account.id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.id, withClosing(row)]))
}

function withClosing(row: Read): Figures {
  const [opening, income, expense] = [BigInt(row.opening), BigInt(row.income), BigInt(row.expense)]
  return { opening, income, expense, closing: opening + income - expense, updatedAt: row.updatedAt }
}

const inOrder: ListKey = {
  columns: [
    ['entry.posted_at', 'moment'],
    ['entry.seq', 'number'],
  ],
}
/** Entries of summed accounts have no `seq`. */
const asPosted: ListKey = {
  columns: [
    ['entry.posted_at', 'moment'],
    ['entry.posting_id', 'number'],
    ['entry.line', 'number'],
  ],
}

type Params = Paging & { from?: string | undefined; to?: string | undefined }

/** The entries of one account within the caller's scope, newest first. */
export async function listEntries(
  db: Db,
  account: { id: string; summed: boolean },
  filter: Params,
  condition?: RawBuilder<boolean>,
) {
  const { from, to } = filter
  const matching = db
    .selectFrom('entry')
    .where('entry.account_id', '=', account.id)
    .$if(condition !== undefined, (query) => query.where(condition ?? sql<boolean>`true`))
    .$if(from !== undefined, (query) => query.where(sql<boolean>`entry.posted_at >= ${from}::date::timestamptz`))
    .$if(to !== undefined, (query) => query.where(sql<boolean>`entry.posted_at < (${to}::date + 1)::timestamptz`))
  const page = await pageOf(db, matching, filter, {
    key: account.summed ? asPosted : inOrder,
    columns: (query) =>
      query
        .select(['entry.posting_id', 'entry.line', 'entry.posted_at as at', 'entry.kind', 'entry.ref'])
        .select(['entry.amount_fen', 'entry.balance_fen']),
  })
  const rows = page.rows.map(({ posting_id, line, at, kind, ref, amount_fen, balance_fen }) => ({
    id: `${posting_id}-${line}`,
    at,
    kind: kind as StatementEntry['kind'],
    ref,
    amount: yuanText(BigInt(amount_fen)),
    balance: balance_fen === null ? null : yuanText(BigInt(balance_fen)),
  }))
  return { ...page, rows }
}
