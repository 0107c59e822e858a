import { payRefundPurpose, payRefundStatus } from '@wattdeck/contract/accounting/pay-codes.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { RefundOrder, refundOrder } from '@wattdeck/contract/order/refund-order.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { ownerNames } from '../../../kit/db/ownership.ts'
import { byId, pageOf, type Paging } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { ofPhone, placedAndMade, same } from '../_shared/money-filter.ts'
import { yuan } from '../_shared/order-columns.ts'

type Filter = QueryOf<typeof refundOrder.list> & Paging
const table = 'refund_order'
const ofRefund = sql`pay_refund.ref_id = refund_order.id and pay_refund.purpose = ${sql.lit(payRefundPurpose.code.order)}`

const columns = [
  'refund_order.id',
  'refund_order.order_id as orderNo',
  'refund_order.member_id as memberId',
  sql<string | null>`(app.order_payer(refund_order.member_id)).nickname`.as('memberName'),
  sql<string | null>`(app.order_payer(refund_order.member_id)).phone`.as('memberPhone'),
  ...ownerNames(table),
  sql<string>`(select total_fen from charging_order where charging_order.id = refund_order.order_id)::text`.as(
    'totalFen',
  ),
  'refund_order.amount_fen as amountFen',
  'refund_order.paid_fen as paidFen',
  'refund_order.gift_fen as giftFen',
  'refund_order.electricity_fen as electricityFen',
  'refund_order.service_fen as serviceFen',
  'refund_order.occupancy_fen as occupancyFen',
  'refund_order.kind',
  'refund_order.way',
  'refund_order.reason',
  'refund_order.status',
  sql<
    string | null
  >`(select string_agg(coalesce(refund_id, 'R' || pay_refund.id), '、' order by pay_refund.id) from pay_refund where ${ofRefund})`.as(
    'providerNo',
  ),
  sql<
    string | null
  >`coalesce(refund_order.words, (select min(words) from pay_refund where ${ofRefund} and refund_order.status = 2))`.as(
    'words',
  ),
  sql<boolean>`exists (select from pay_refund where ${ofRefund} and pay_refund.status = ${sql.lit(payRefundStatus.code.abnormal)})`.as(
    'stuck',
  ),
  sql<string | null>`refund_order.trace ->> 'words'`.as('trace'),
  'refund_order.created_by as createdBy',
  'refund_order.created_at as createdAt',
  'refund_order.decided_by as decidedBy',
  'refund_order.decided_at as decidedAt',
  'refund_order.decision',
  'refund_order.arrived_at as arrivedAt',
] as const

/** `readerId`: who reads, and must not decide on what is theirs. A file needs nobody. */
export async function listRefunds(db: Db, scope: Scope, filter: Filter, readerId = '0') {
  const conditions = [
    ...(await placedAndMade(db, scope, table, filter)),
    ...same(table, 'id', filter.refundNo),
    ...same(table, 'order_id', filter.orderNo),
    ...same(table, 'member_id', filter.memberId),
    ...(await ofPhone(db, scope, table, filter)),
    ...same(table, 'status', filter.status),
    ...same(table, 'kind', filter.kind),
  ]
  const matching = db.selectFrom(table).where(sql<boolean>`${sql.join(conditions, sql` and `)}`)
  const found = await pageOf(db, matching, filter, {
    key: byId('refund_order.id'),
    columns: (query) => query.select([...columns, sql<boolean>`refund_order.created_by_id = ${readerId}`.as('own')]),
  })
  const rows = found.rows.map(
    ({ totalFen, amountFen, paidFen, giftFen, electricityFen, serviceFen, occupancyFen, ...row }) => {
      const amounts = { total: yuan(totalFen), amount: yuan(amountFen), paid: yuan(paidFen), gift: yuan(giftFen) }
      const parts = { electricity: yuan(electricityFen), service: yuan(serviceFen), occupancy: yuan(occupancyFen) }
      return { ...row, ...amounts, ...parts } as unknown as RefundOrder
    },
  )
  return { ...found, rows }
}
