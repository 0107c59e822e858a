import { accountKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import type { Figure } from '@wattdeck/contract/dashboard/work-table.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { ownedBy } from '../../../kit/db/ownership.ts'
import { planByValues } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'

type Owner = { organiseId?: string | undefined; agentId?: string | undefined; siteId?: string | undefined }

/**
 * Income from charging since the beginning, less refunds. It includes payments with gift money, and is before channel
 * fees. It is no balance: payouts do not reduce it.
 */
const { siteElectricity, siteService, siteOccupancy } = accountKind.code
const kinds = [siteElectricity, siteService, siteOccupancy] as const

const inScope = (scope: Scope): RawBuilder<boolean>[] => [
  ...(scope.level > 0 ? [sql<boolean>`account.organise_id = ${scope.organiseId}`] : []),
  ...(scope.level === 2 ? [sql<boolean>`account.agent_id = any(${scope.agentIds}::bigint[])`] : []),
  ...(scope.level === 3 ? [sql<boolean>`account.site_id = any(${scope.siteIds}::bigint[])`] : []),
]

/**
 * Collecting accounts count their sealed sum plus newer entries, other accounts their balance, in one snapshot. The
 * cost depends on the number of accounts, not of entries.
 */
export async function readIncome(db: Db, scope: Scope, owner: Owner, whose: string): Promise<Figure> {
  await planByValues(db)
  const where = [ownedBy('account', owner), ...inScope(scope), sql<boolean>`account.kind = any(${kinds}::smallint[])`]
  const { rows } = await sql<{ kind: (typeof kinds)[number]; fen: string }>`
    with fresh as materialized (
      select account_id, sum(amount_fen) as fen from entry where later >= (select upto from ledger_edge) group by account_id
    ), sealed as (
      select account_id, sum(fen) as fen from account_sum
      where account_id in (select account.id from account where ${sql.join(where, sql` and `)}) group by account_id
    )
    select account.kind, sum(account.balance_fen + coalesce(sealed.fen, 0) + coalesce(fresh.fen, 0))::text as fen
    from account left join sealed on sealed.account_id = account.id
      left join fresh on account.summed and fresh.account_id = account.id
    where ${sql.join(where, sql` and `)} group by account.kind order by account.kind`.execute(db)
  const total = rows.reduce((sum, { fen }) => sum + BigInt(fen), 0n)
  const parts = rows.map(({ kind, fen }) => ({ label: accountKind.show(kind).label, value: yuanText(BigInt(fen)) }))
  return { value: yuanText(total), of: null, parts, compared: null, days: null, whose }
}
