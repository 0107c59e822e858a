import { channel } from '@wattdeck/contract/accounting/ledger-codes.ts'
import {
  bookPart,
  flowDirection,
  type IncomeExpense,
  type incomeExpense,
  incomeExpenseType,
  typeRules,
} from '@wattdeck/contract/dashboard/income-expense.ts'
import { countBound } from '@wattdeck/contract/kit/page.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { ownedBy, ownerNames, withinOrganise } from '../../../kit/db/ownership.ts'
import { type ListKey, pageOf, type Paging, planByValues } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { periodOf, type Side, sidesOf, typeOf } from './income-expense.rules.ts'
import { factsOf } from './income-expense.subjects.ts'

type Filter = QueryOf<typeof incomeExpense.totals>
type Book = { scope: Scope; filter: Filter; sides: readonly Side[]; from: string; to: string }
type Condition = RawBuilder<boolean>

const all = (conditions: readonly Condition[]): Condition => sql<boolean>`${sql.join(conditions, sql` and `)}`
const any = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(conditions, sql` or `)})`

const isOffline = sql<boolean>`account.owner_id = ${sql.lit(channel.code.offline)}`
const ofAccount = ({ kind, isOffline: offline }: Side): Condition =>
  all([
    sql<boolean>`account.kind = ${sql.lit(kind)}`,
    ...(offline === undefined ? [] : [offline ? isOffline : sql<boolean>`not ${isOffline}`]),
  ])
const ofEntry = (side: Side): Condition =>
  all([ofAccount(side), side.sign === 1 ? sql<boolean>`entry.amount_fen > 0` : sql<boolean>`entry.amount_fen < 0`])
const signed = (sides: readonly Side[], sign: 1 | -1) => any(sides.filter((side) => side.sign === sign).map(ofAccount))

/**
 * The accounts of a book, with the signs that it shows of each, and per account the days with such entries, newest first.
 * Daily sums name the days; entries since the ledger edge are not in them yet.
 */
const daysOfAccounts = ({ scope, filter, sides, from, to }: Book) => sql`
  own as materialized (
    select account.id, account.kind, ${isOffline} as offline, ${signed(sides, 1)} as plus, ${signed(sides, -1)} as minus
    from account
    where ${all([any(sides.map(ofAccount)), ...withinOrganise('account', scope), ownedBy('account', filter)])}
  ), fresh as materialized (
    select entry.account_id, entry.amount_fen, (entry.posted_at at time zone 'Asia/Shanghai')::date as day
    from entry
    where entry.later >= (select upto from ledger_edge)
      and entry.posted_at >= ${from}::date::timestamptz and entry.posted_at < (${to}::date + 1)::timestamptz
      and ${ownedBy('entry', filter)}
  ), days as (
    select own.id, account_day.day, account_day.in_fen, account_day.out_fen
    from own
    join account_day on account_day.account_id = own.id
    where account_day.day between ${from}::date and ${to}::date and ${ownedBy('account_day', filter)}
    union all
    select own.id, fresh.day, greatest(fresh.amount_fen, 0), greatest(-fresh.amount_fen, 0)
    from own
    join fresh on fresh.account_id = own.id
  ), active as materialized (
    select own.id, own.plus, own.minus, array_agg(distinct days.day order by days.day desc) as days
    from own
    join days on days.id = own.id
    where own.plus and days.in_fen > 0 or own.minus and days.out_fen > 0
    group by own.id, own.plus, own.minus
  )`

/** The entries of an active account on one of its days. */
const ofDay = (filter: Filter) =>
  all([
    sql<boolean>`entry.account_id = active.id`,
    sql<boolean>`entry.posted_at >= day.day::timestamptz and entry.posted_at < (day.day + 1)::timestamptz`,
    sql<boolean>`(active.plus and entry.amount_fen > 0 or active.minus and entry.amount_fen < 0)`,
    ownedBy('entry', filter),
  ])

/**
 * The accounts that the next rows can belong to. The newest rows of many accounts belong to as many accounts at most: to
 * those with the newest entries. So a page costs one index lookup for each account, and never a sort of the period.
 */
async function newestAccounts(db: Db, book: Book, after: Condition | undefined, rows: number): Promise<string[]> {
  const found = await sql<{ id: string }>`
    with ${daysOfAccounts(book)}
    select active.id
    from active
    cross join lateral (
      select newest.posted_at, newest.posting_id, newest.line
      from unnest(active.days) with ordinality as day (day, place)
      cross join lateral (
        select entry.posted_at, entry.posting_id, entry.line
        from entry
        where ${all([ofDay(book.filter), ...(after === undefined ? [] : [after])])}
        order by entry.posted_at desc, entry.posting_id desc, entry.line desc
        limit 1
      ) newest
      order by day.place
      limit 1
    ) head
    order by head.posted_at desc, head.posting_id desc, head.line desc
    limit ${rows}`.execute(db)
  return found.rows.map(({ id }) => id)
}

async function countEntries(db: Db, book: Book, bound: number): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    with ${daysOfAccounts(book)}
    select count(*) as count
    from (
      select 1
      from active
      cross join unnest(active.days) as day (day)
      join entry on ${ofDay(book.filter)}
      limit ${bound + 1}
    ) counted`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

const key: ListKey = {
  columns: [
    ['entry.posted_at', 'moment'],
    ['entry.posting_id', 'number'],
    ['entry.line', 'number'],
  ],
}

const bookOf = (scope: Scope, filter: Filter): Book => ({
  scope,
  filter,
  sides: sidesOf(filter),
  ...periodOf(filter, Date.now()),
})

/** The entries of the collecting accounts in scope, newest first. */
export async function listEntries(db: Db, scope: Scope, query: QueryOf<typeof incomeExpense.list> & Paging) {
  const book = bookOf(scope, query)
  await planByValues(db)
  const found = query.skipCount === true ? undefined : await countEntries(db, book, query.countTo ?? countBound)
  const matching = db
    .selectFrom('entry')
    .innerJoin('account', 'account.id', 'entry.account_id')
    .where(any(book.sides.map(ofEntry)))
    .where(sql<boolean>`entry.posted_at >= ${book.from}::date::timestamptz`)
    .where(sql<boolean>`entry.posted_at < (${book.to}::date + 1)::timestamptz`)
    .where(all([...withinOrganise('entry', scope), ownedBy('entry', query), ownedBy('account', query)]))
  const page = await pageOf(db, matching, query, {
    key,
    found,
    narrow: async (after, rows) =>
      sql<boolean>`entry.account_id = any(${await newestAccounts(db, book, after, rows)}::bigint[])`,
    columns: (rows) =>
      rows
        .select(['entry.posting_id as postingId', 'entry.line', 'entry.later', 'entry.posted_at as at', 'entry.kind'])
        .select(['entry.ref', 'entry.amount_fen', 'entry.organise_id as organiseId', 'entry.site_id as siteId'])
        .select(['account.kind as accountKind', 'account.owner_id as owner', ...ownerNames('entry')]),
  })
  const facts = await factsOf(db, page.rows)
  return { ...page, rows: page.rows.map((row, at) => rowOf(row, facts[at])) }
}

type Entry = Parameters<typeof factsOf>[1][number] & {
  postingId: string
  line: number
  at: string
  amount_fen: string
  owner: string
  organiseId: string
  siteId: string | null
  organiseName: string
  agentName: string | null
  siteName: string | null
}

function rowOf(entry: Entry, facts: Awaited<ReturnType<typeof factsOf>>[number] | undefined): IncomeExpense {
  const { postingId, line, at, kind, ref, organiseId, siteId, organiseName, agentName, siteName } = entry
  const fen = BigInt(entry.amount_fen)
  const name = typeOf({ accountKind: entry.accountKind, owner: entry.owner, fen })
  const { part, direction } = typeRules[name]
  return {
    id: `${postingId}-${line}`,
    at,
    type: incomeExpenseType.code[name],
    direction: flowDirection.code[direction],
    amount: yuanText(fen < 0n ? -fen : fen),
    part: bookPart.code[part],
    kind: kind as IncomeExpense['kind'],
    ref,
    organiseId,
    siteId,
    organiseName,
    agentName,
    siteName,
    remark: facts?.remark ?? null,
    objectKind: facts?.object?.kind ?? null,
    objectId: facts?.object?.id ?? null,
  }
}

/** Sums of a filter from the daily sums of its accounts, and the few entries that are not in them yet. */
export async function sumEntries(db: Db, scope: Scope, filter: Filter) {
  const book = bookOf(scope, filter)
  await planByValues(db)
  const { rows } = await sql<{ kind: number; offline: boolean; plus: string; minus: string }>`
    with ${daysOfAccounts(book)}
    select own.kind, own.offline, sum(days.in_fen)::text as plus, sum(days.out_fen)::text as minus
    from own
    join days on days.id = own.id
    group by own.kind, own.offline`.execute(db)
  const sum = (part: keyof typeof bookPart.code, direction: keyof typeof flowDirection.code) =>
    book.sides
      .filter(({ name }) => typeRules[name].part === part && typeRules[name].direction === direction)
      .flatMap(({ kind, sign, isOffline: offline }) =>
        rows
          .filter((row) => row.kind === kind && (offline === undefined || row.offline === offline))
          .map((row) => BigInt(sign === 1 ? row.plus : row.minus)),
      )
      .reduce((total, fen) => total + fen, 0n)
  const [income, expense] = [sum('operating', 'in'), sum('operating', 'out')]
  const [received, paidBack] = [sum('funds', 'in'), sum('funds', 'out')]
  return {
    income: yuanText(income),
    expense: yuanText(expense),
    net: yuanText(income - expense),
    received: yuanText(received),
    paidBack: yuanText(paidBack),
    balance: yuanText(received - paidBack),
  }
}
