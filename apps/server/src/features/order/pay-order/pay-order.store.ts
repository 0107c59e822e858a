import { payPurpose } from '@wattdeck/contract/accounting/pay-codes.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { type PayOrderDetail, payList, type payOrder } from '@wattdeck/contract/order/pay-order.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { columnsOf, matchingRows, type Source, writeYuan } from '../../../kit/db/list-query.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { payIdOf, payNo, refundNo } from '../../../core/payments/pay-numbers.ts'
import { payerColumns, plannedPlaceConditions } from '../_shared/money-filter.ts'
import { paidTotals, yuan } from '../_shared/order-totals.ts'
import { storedPay } from '../../../core/payments/stored-status.ts'

type Filter = QueryOf<typeof payOrder.list>

/** Matches the payment number, the number of the order that is paid, or the provider's number. */
function named(no: string | undefined): RawBuilder<boolean>[] {
  if (no === undefined) return []
  const id = payIdOf(no) ?? (/^[1-9]\d{0,17}$/.test(no) ? no : undefined)
  const own = id === undefined ? sql`` : sql`pay_order.id = ${id} or pay_order.ref_id = ${id} or `
  return [sql<boolean>`(${own} pay_order.transaction_id = ${no})`]
}

const table = 'pay_order'
export const paySource: Source = {
  table,
  sorts: { createdAt: [] },
  stored: { status: storedPay },
  computed: {
    ...payerColumns(table),
    payNo: sql`'P' || pay_order.id`,
    refNo: sql`pay_order.ref_id`,
    rechargeId: sql`case when pay_order.purpose = ${sql.lit(payPurpose.code.recharge)} then pay_order.ref_id end`,
    late: sql`pay_order.paid_late`,
  },
  place: (filter: Filter, { db, scope }) => plannedPlaceConditions(db, scope, table, filter),
  own: (filter: Filter) => named(filter.payNo),
}

/** Totals of the paid rows of a filter. The caller checks that it spans at most a month. */
export async function payTotals(db: Db, scope: Scope, filter: QueryOf<typeof payOrder.totals>) {
  const rows = await matchingRows(db, scope, payList, paySource, filter)
  const isPaid = sql`pay_order.status = ${sql.lit(storedPay.number.paid)}`
  return paidTotals(rows, isPaid, { paid: 'amount_fen', fee: 'fee_fen', refunded: 'refunded_fen' })
}

export async function readPayOrder(db: Db, id: string): Promise<PayOrderDetail | undefined> {
  const found = await db
    .selectFrom('pay_order')
    .innerJoin('pay_merchant', 'pay_merchant.id', 'pay_order.merchant_id')
    .select([
      ...columnsOf(payList, paySource),
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
  writeYuan(payList, row)
  const [notices, refunds] = await Promise.all([noticesOf(db, merchant_id, id), refundsOf(db, id)])
  return { ...row, notices, refunds } as unknown as PayOrderDetail
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

export async function seesPayOrder(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`select 1 from pay_order where id = ${id}`.execute(db)
  return rows.length > 0
}
