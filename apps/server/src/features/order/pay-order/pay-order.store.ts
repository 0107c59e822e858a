import { payStatus } from '@wattdeck/contract/accounting/pay-codes.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { PayOrder, PayOrderDetail, payOrder } from '@wattdeck/contract/order/pay-order.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { ownerNames } from '../../../kit/db/ownership.ts'
import { byId, pageOf, type Paging } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { payIdOf, payNo, refundNo } from '../../../core/payments/pay-numbers.ts'
import { placedAndMade, same } from '../_shared/money-filter.ts'
import { yuan } from '../_shared/order-columns.ts'

type Filter = Omit<QueryOf<typeof payOrder.list>, keyof Paging>

/** By its own number, by that of the order that wants it, or by the provider's. */
function named(no: string | undefined): RawBuilder<boolean>[] {
  if (no === undefined) return []
  const id = payIdOf(no) ?? (/^[1-9]\d{0,17}$/.test(no) ? no : undefined)
  const own = id === undefined ? sql`` : sql`pay_order.id = ${id} or pay_order.ref_id = ${id} or `
  return [sql<boolean>`(${own} pay_order.transaction_id = ${no})`]
}

async function matching(db: Db, scope: Scope, filter: Filter) {
  const conditions = [
    ...(await placedAndMade(db, scope, 'pay_order', filter)),
    ...named(filter.payNo),
    ...same('pay_order', 'purpose', filter.purpose),
    ...same('pay_order', 'provider', filter.provider),
    ...same('pay_order', 'status', filter.status),
  ]
  return db.selectFrom('pay_order').where(sql<boolean>`${sql.join(conditions, sql` and `)}`)
}

const columns = [
  'pay_order.id',
  'pay_order.ref_id as refNo',
  'pay_order.transaction_id as transactionId',
  sql<string | null>`(app.order_payer(pay_order.member_id)).nickname`.as('memberName'),
  sql<string | null>`(app.order_payer(pay_order.member_id)).phone`.as('memberPhone'),
  ...ownerNames('pay_order'),
  'pay_order.purpose',
  'pay_order.provider',
  'pay_order.way',
  'pay_order.amount_fen as amountFen',
  'pay_order.fee_fen as feeFen',
  'pay_order.refunded_fen as refundedFen',
  'pay_order.profit_sharing as profitSharing',
  'pay_order.status',
  'pay_order.paid_late as late',
  'pay_order.failure',
  'pay_order.created_at as createdAt',
  'pay_order.paid_at as paidAt',
  'pay_order.closed_at as closedAt',
] as const

type Raw = { id: string; amountFen: string; feeFen: string; refundedFen: string }
function shown<R extends Raw>({ amountFen, feeFen, refundedFen, ...row }: R) {
  return { ...row, payNo: payNo(row.id), amount: yuan(amountFen), fee: yuan(feeFen), refunded: yuan(refundedFen) }
}

export async function listPayOrders(db: Db, scope: Scope, filter: QueryOf<typeof payOrder.list> & Paging) {
  const found = await pageOf(db, await matching(db, scope, filter), filter, {
    key: byId('pay_order.id'),
    columns: (query) => query.select(columns),
  })
  return { ...found, rows: found.rows.map((row) => shown(row) as unknown as PayOrder) }
}

/** What a filter adds up to, of what was paid. The caller has seen to it that it spans a month at most. */
export async function payTotals(db: Db, scope: Scope, filter: QueryOf<typeof payOrder.totals>) {
  const paid = sql`filter (where pay_order.status = ${payStatus.code.paid})`
  const sum = (column: string) => sql<string>`coalesce(sum(${sql.ref(`pay_order.${column}`)}) ${paid}, 0)::text`
  const query = await matching(db, scope, filter)
  const { count, amount, fee, refunded } = await query
    .select([
      sql<number>`count(*)::int`.as('count'),
      sum('amount_fen').as('amount'),
      sum('fee_fen').as('fee'),
      sum('refunded_fen').as('refunded'),
    ])
    .executeTakeFirstOrThrow()
  return { count, sums: { paid: yuan(amount), fee: yuan(fee), refunded: yuan(refunded) } }
}

export async function readPayOrder(db: Db, _scope: Scope, id: string): Promise<PayOrderDetail | undefined> {
  const found = await db
    .selectFrom('pay_order')
    .innerJoin('pay_merchant', 'pay_merchant.id', 'pay_order.merchant_id')
    .select([
      ...columns,
      'pay_merchant.name as merchantName',
      sql<string>`coalesce(pay_merchant.sub_merchant_no, pay_merchant.merchant_no)`.as('merchantNo'),
      'pay_order.merchant_id',
      'pay_order.expires_at as expiresAt',
      'pay_order.sent_at as sentAt',
      'pay_order.look_at as lookAt',
    ])
    .where('pay_order.id', '=', id)
    .executeTakeFirst()
  if (found === undefined) return undefined
  const { merchant_id, ...row } = found
  const [notices, refunds] = await Promise.all([noticesOf(db, merchant_id, id), refundsOf(db, id)])
  return { ...shown(row), notices, refunds } as unknown as PayOrderDetail
}

async function noticesOf(db: Db, merchantId: string, id: string) {
  const { rows } =
    await sql`select notice_id as "noticeId", kind, received_at as "receivedAt", copies, status, problem from pay_notice
    where merchant_id = ${merchantId} and pay_no = ${payNo(id)} order by received_at limit 50`.execute(db)
  return rows
}

async function refundsOf(db: Db, id: string) {
  const { rows } = await sql<{ id: string; amountFen: string } & Record<string, unknown>>`
    select id, amount_fen as "amountFen", purpose, reason, status, words, created_at as "createdAt", arrived_at as "arrivedAt" from pay_refund
    where pay_order_id = ${id} order by id limit 50`.execute(db)
  return rows.map(({ id: refundId, amountFen, ...row }) => ({
    ...row,
    refundNo: refundNo(refundId),
    amount: yuan(amountFen),
  }))
}

/** Whether the caller sees it. */
export async function seesPayOrder(db: Db, _scope: Scope, id: string): Promise<boolean> {
  const { rows } = await sql`select 1 from pay_order where id = ${id}`.execute(db)
  return rows.length > 0
}
