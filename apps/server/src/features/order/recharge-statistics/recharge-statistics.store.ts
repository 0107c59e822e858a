import { rechargeProvider } from '@wattdeck/contract/accounting/pay-codes.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { RechargeStatistics, rechargeStatistics } from '@wattdeck/contract/order/recharge-statistics.ts'
import { statSpan } from '@wattdeck/contract/order/statistics.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Paging } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { dayMs, dayStart } from '../../_shared/message-id.ts'
import { ownerColumn, statPage, statTotals } from '../../../core/statistics/stat-page.store.ts'
import { plusDays } from '../../../core/statistics/stat-periods.rules.ts'
import { plannedPlaceConditions } from '../_shared/money-filter.ts'
import { yuan } from '../_shared/order-totals.ts'
import { countable, rechargeFigures, shownFigures } from './recharge-statistics.rules.ts'
import { storedRecharge } from '../../../core/payments/stored-status.ts'

type Query = QueryOf<typeof rechargeStatistics.list>
type Counted = { people: number; wechat: string; alipay: string; offline: string }
const noRecharges: Counted = { people: 0, wechat: '0', alipay: '0', offline: '0' }

export async function listRechargeStatistics(db: Db, scope: Scope, query: Query & Paging) {
  const { cells, ...page } = await statPage(db, scope, query, rechargeFigures)
  const owners = [...new Set(cells.flatMap(({ owner }) => owner?.id ?? []))]
  const days = countable(cells.map(({ period }) => period))
  // Ids of recharges are indexed per organisation: without one, the query would read the recharges of all organisations.
  const counts = scope.level > 0 || query.organiseId !== undefined || query.by !== undefined
  const counted = counts && days !== undefined ? await countPeople(db, scope, query, { ...days, owners }) : undefined
  const rows = cells.map(({ period, owner, sums }): RechargeStatistics => {
    const of = counted === undefined ? undefined : (counted.get(`${period.name} ${owner?.id ?? ''}`) ?? noRecharges)
    return {
      id: owner === undefined ? period.name : `${period.name}/${owner.id}`,
      period: period.name,
      ownerId: owner?.id ?? null,
      ownerName: owner?.name ?? null,
      ...shownFigures(sums),
      people: of?.people ?? null,
      wechat: of === undefined ? null : yuan(of.wechat),
      alipay: of === undefined ? null : yuan(of.alipay),
      offline: of === undefined ? null : yuan(of.offline),
    }
  })
  return { ...page, rows }
}

/** The id encodes when a recharge was requested; the payment follows within this many days. */
const paidWithinDays = 3

type Page = { from: string; to: string; owners: readonly string[] }

/** Members and amounts by payment provider, by the name of the period and the id of the owner. */
async function countPeople(db: Db, scope: Scope, query: Query, { from, to, owners }: Page) {
  const { by, span, organiseId, agentId, siteId } = query
  const filter = { organiseId, agentId, siteId, from: plusDays(from, -paidWithinDays), to }
  const where = [
    ...(await plannedPlaceConditions(db, scope, 'recharge_order', filter)),
    sql`recharge_order.status = ${storedRecharge.number.paid}`,
    sql`recharge_order.paid_at >= ${new Date(dayStart(from))}`,
    sql`recharge_order.paid_at < ${new Date(dayStart(to) + dayMs)}`,
    ...(by === undefined ? [] : [sql`${sql.ref(ownerColumn[by])} = any(${owners}::bigint[])`]),
  ]
  const format = span === statSpan.code.month ? 'YYYY-MM' : 'YYYY-MM-DD'
  const owner = by === undefined ? sql`''` : sql`${sql.ref(ownerColumn[by])}::text`
  const of = (provider: number) => sql`coalesce(sum(amount_fen) filter (where provider = ${provider}), 0)::text`
  const { rows } = await sql<Counted & { period: string; owner: string }>`
    select to_char(paid_at at time zone 'Asia/Shanghai', ${format}) as period, ${owner} as owner,
      count(distinct coalesce(member_id, -card_id))::int as people,
      ${of(rechargeProvider.code.wechat)} as wechat, ${of(rechargeProvider.code.alipay)} as alipay, ${of(rechargeProvider.code.offline)} as offline
    from recharge_order where ${sql.join(where, sql` and `)} group by 1, 2`.execute(db)
  return new Map(rows.map((row) => [`${row.period} ${row.owner}`, row]))
}

export async function rechargeStatisticsTotals(db: Db, scope: Scope, query: QueryOf<typeof rechargeStatistics.totals>) {
  const { sums } = await statTotals(db, scope, query, rechargeFigures)
  return shownFigures(sums)
}
