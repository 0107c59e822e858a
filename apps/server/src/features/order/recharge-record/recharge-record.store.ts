import { rechargeStatus } from '@wattdeck/contract/accounting/pay-codes.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { RechargeRecord, rechargeRecord } from '@wattdeck/contract/order/recharge-record.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { ownerNames } from '../../../kit/db/ownership.ts'
import { byId, pageOf, type Paging } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { placedAndMade, same } from '../_shared/money-filter.ts'
import { yuan } from '../_shared/order-columns.ts'

type Filter = Omit<QueryOf<typeof rechargeRecord.list>, keyof Paging>

async function membersOf(db: Db, phone: string, organiseId: string | null): Promise<string[]> {
  const { rows } = await sql<{
    ids: string[]
  }>`select app.members_of_phone(${phone}, ${organiseId}::bigint)::text[] as ids`.execute(db)
  return rows[0]?.ids ?? []
}

async function matching(db: Db, scope: Scope, filter: Filter) {
  const within = scope.level > 0 ? scope.organiseId : (filter.organiseId ?? null)
  const members = filter.phone === undefined ? undefined : await membersOf(db, filter.phone, within)
  const conditions = [
    ...(await placedAndMade(db, scope, 'recharge_order', filter)),
    ...same('recharge_order', 'id', filter.rechargeNo),
    ...(members === undefined ? [] : [sql<boolean>`recharge_order.member_id = any(${members}::bigint[])`]),
    ...same('recharge_order', 'provider', filter.provider),
    ...same('recharge_order', 'status', filter.status),
  ]
  return db.selectFrom('recharge_order').where(sql<boolean>`${sql.join(conditions, sql` and `)}`)
}

const columns = [
  'recharge_order.id',
  'recharge_order.target',
  'recharge_order.member_id as memberId',
  sql<string | null>`(app.order_payer(recharge_order.member_id)).nickname`.as('memberName'),
  sql<string | null>`(app.order_payer(recharge_order.member_id)).phone`.as('memberPhone'),
  ...ownerNames('recharge_order'),
  'recharge_order.amount_fen as amountFen',
  'recharge_order.gift_fen as giftFen',
  'recharge_order.provider',
  'recharge_order.pay_order_id as payOrderId',
  sql<string | null>`(select transaction_id from pay_order where pay_order.id = recharge_order.pay_order_id)`.as(
    'transactionId',
  ),
  'recharge_order.status',
  'recharge_order.before_fen as beforeFen',
  'recharge_order.after_fen as afterFen',
  'recharge_order.refunded_fen as refundedFen',
  'recharge_order.created_at as createdAt',
  'recharge_order.paid_at as paidAt',
] as const

export async function listRecharges(db: Db, scope: Scope, filter: QueryOf<typeof rechargeRecord.list> & Paging) {
  const found = await pageOf(db, await matching(db, scope, filter), filter, {
    key: byId('recharge_order.id'),
    columns: (query) => query.select(columns),
  })
  const rows = found.rows.map(({ amountFen, giftFen, beforeFen, afterFen, refundedFen, ...row }) => {
    const paid = row.status === rechargeStatus.code.paid
    return {
      ...row,
      amount: yuan(amountFen),
      gift: yuan(giftFen),
      credited: yuan(paid ? String(BigInt(amountFen) + BigInt(giftFen)) : '0'),
      before: beforeFen === null ? null : yuan(beforeFen),
      after: afterFen === null ? null : yuan(afterFen),
      refunded: yuan(refundedFen),
    } as unknown as RechargeRecord
  })
  return { ...found, rows }
}

/** What a filter adds up to, of what was paid. The caller has seen to it that it spans a month at most. */
export async function rechargeTotals(db: Db, scope: Scope, filter: QueryOf<typeof rechargeRecord.totals>) {
  const paid = sql`filter (where recharge_order.status = ${rechargeStatus.code.paid})`
  const sum = (column: string) => sql<string>`coalesce(sum(${sql.ref(`recharge_order.${column}`)}) ${paid}, 0)::text`
  const query = await matching(db, scope, filter)
  const { count, amount, gift, refunded } = await query
    .select([
      sql<number>`count(*)::int`.as('count'),
      sum('amount_fen').as('amount'),
      sum('gift_fen').as('gift'),
      sum('refunded_fen').as('refunded'),
    ])
    .executeTakeFirstOrThrow()
  return { count, sums: { amount: yuan(amount), gift: yuan(gift), refunded: yuan(refunded) } }
}
