import { accountKind, channel, ownMoneyKinds } from '@wattdeck/contract/accounting/ledger-codes.ts'
import type { AccountDetail, accountDetail } from '@wattdeck/contract/dashboard/account-detail.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { ownedBy, ownerNames } from '../../../kit/db/ownership.ts'
import { pageOf, type Paging, planByValues } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { type Figures, figuresOf } from '../../../core/ledger/statement.ts'
import { daysOf, reservedKindOf, isSpent } from './account-detail.rules.ts'

/** The display name of the owner. */
const ownerName = sql<string | null>`case
  when account.kind between 1 and 9 then (select nickname from member where member.id = account.owner_id)
  when account.kind in (21, 22, 23, 33) then (select name from site where site.id = account.owner_id)
  when account.kind = 32 then (select name from agent where agent.id = account.owner_id)
  when account.kind = 54 then (
    select version.name from member_plan pass join monthly_plan_version version on version.id = pass.version_id where pass.id = account.owner_id
  )
  when account.kind = 34 then (select name from user_account where user_account.id = account.owner_id)
  when account.kind in (31, 41, 42, 52, 55, 61, 62) then (select name from organise where organise.id = account.organise_id) end`

type Filter = QueryOf<typeof accountDetail.list>
const kinds = Object.values(accountKind.code)

function conditionsOf(scope: Scope, { kind, ownerId }: Filter): RawBuilder<boolean>[] {
  return [
    // Lists all kinds, so that the index on kind and owner applies.
    kind === undefined
      ? ownerId === undefined
        ? sql<boolean>`true`
        : sql<boolean>`account.kind = any(${kinds}::smallint[])`
      : sql<boolean>`account.kind = ${kind}`,
    ...(ownerId === undefined ? [] : [sql<boolean>`account.owner_id = ${ownerId}`]),
    ...(scope.level > 0 ? [sql<boolean>`account.organise_id = ${scope.organiseId}`] : []),
    ...(scope.level === 2 ? [sql<boolean>`account.agent_id = any(${scope.agentIds}::bigint[])`] : []),
    ...(scope.level === 3 ? [sql<boolean>`account.site_id = any(${scope.siteIds}::bigint[])`] : []),
  ]
}

/** Accounts of the organisation first, accounts of members last. Figures are read for the rows of the page only. */
export async function listAccounts(db: Db, scope: Scope, filter: Filter & Paging) {
  const days = daysOf(filter, Date.now())
  const matching = db
    .selectFrom('account')
    .where(ownedBy('account', filter))
    .where(sql<boolean>`${sql.join(conditionsOf(scope, filter), sql` and `)}`)
  const [, found] = await Promise.all([
    planByValues(db),
    pageOf(db, matching, filter, {
      columns: (query) =>
        query
          .select(['account.id', 'account.kind', 'account.owner_id as ownerId', 'account.organise_id'])
          .select(['account.summed', 'account.balance_fen', ownerName.as('ownerName'), ...ownerNames('account')]),
      key: {
        columns: [
          ['account.kind', 'number'],
          ['account.owner_id', 'number'],
          ['account.organise_id', 'number'],
        ],
      },
    }),
  ])
  const [figures, held] = await Promise.all([
    figuresOf(
      db,
      found.rows.map(({ id }) => id),
      days,
    ),
    heldBeside(db, found.rows),
  ])
  const rows = found.rows.flatMap((row): AccountDetail[] => {
    const sums = figures.get(row.id)
    if (sums === undefined) return []
    const { id, kind, ownerId, organiseName, agentName, siteName } = row
    return [
      {
        id,
        kind: kind as AccountDetail['kind'],
        ownerId,
        ownerName: kind === accountKind.code.channel ? channelName(ownerId, organiseName) : row.ownerName,
        memberId: kind <= accountKind.code.memberGiftRefunding ? ownerId : null,
        organiseName: organiseName ?? '',
        agentName: agentName ?? null,
        siteName: siteName ?? null,
        ...shownFigures(kind, sums),
        frozen: reservedKindOf(kind) === undefined ? null : yuanText(held.get(row.id) ?? 0n),
        available: isSpent(row) && !ownMoneyKinds.has(kind) ? yuanText(BigInt(row.balance_fen)) : null,
        updatedAt: sums.updatedAt,
      },
    ]
  })
  return { ...found, rows }
}

/**
 * Mirrors channels and costs, which the ledger books with the opposite sign. The list shows the debt of a channel and
 * the sum of a cost as positive.
 */
function shownFigures(kind: number, { opening, income, expense, closing }: Figures) {
  if (ownMoneyKinds.has(kind))
    return {
      opening: yuanText(-opening),
      income: yuanText(expense),
      expense: yuanText(income),
      closing: yuanText(-closing),
    }
  return {
    opening: yuanText(opening),
    income: yuanText(income),
    expense: yuanText(expense),
    closing: yuanText(closing),
  }
}

/** Each organisation has its own account at a channel. */
const channelName = (id: string, organiseName: string | null | undefined) =>
  [channel.options.find(({ value }) => String(value) === id)?.label, organiseName].filter(Boolean).join(' · ')

type AccountKey = { id: string; kind: number; ownerId: string; organise_id: string }

/** The reserved amount of each account, by account id. */
async function heldBeside(db: Db, accounts: readonly AccountKey[]): Promise<Map<string, bigint>> {
  const accountsWithReserve = accounts.flatMap((one) => {
    const kind = reservedKindOf(one.kind)
    return kind === undefined ? [] : [{ ...one, kind }]
  })
  if (accountsWithReserve.length === 0) return new Map()
  const { rows } = await sql<{ id: string; fen: string }>`
    select wanted.id, account.balance_fen::text as fen
    from unnest(${accountsWithReserve.map(({ id }) => id)}::bigint[], ${accountsWithReserve.map((one) => one.organise_id)}::bigint[],
      ${accountsWithReserve.map(({ kind }) => kind)}::smallint[], ${accountsWithReserve.map(({ ownerId }) => ownerId)}::bigint[])
      as wanted (id, organise_id, kind, owner_id)
    join account on account.organise_id = wanted.organise_id and account.kind = wanted.kind and account.owner_id = wanted.owner_id`.execute(
    db,
  )
  return new Map(rows.map(({ id, fen }) => [id, BigInt(fen)]))
}

export const findAccount = (db: Db, id: string) =>
  db.selectFrom('account').select(['id', 'kind', 'summed']).where('id', '=', id).executeTakeFirst()
