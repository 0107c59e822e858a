import { payRefundPurpose, payRefundStatus } from '@wattdeck/contract/accounting/pay-codes.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { refundList, type refundOrder } from '@wattdeck/contract/order/refund-order.ts'
import { refundStatus } from '@wattdeck/contract/order/refund-codes.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { matchingRows, type Source } from '../../../kit/db/list-query.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { phoneConditions, payerColumns, plannedPlaceConditions, same } from '../_shared/money-filter.ts'
import { moneyTotals } from '../_shared/order-totals.ts'

type Filter = QueryOf<typeof refundOrder.list>
const table = 'refund_order'
const attempts = sql`from pay_refund
  where pay_refund.ref_id = refund_order.id and pay_refund.purpose = ${sql.lit(payRefundPurpose.code.order)}`

/** `readerId`: the reader, who must not decide on their own refunds. An export needs none. */
export const refundSource = (readerId = '0'): Source => ({
  table,
  sorts: { createdAt: [] },
  computed: {
    ...payerColumns(table),
    orderNo: sql`refund_order.order_id`,
    total: sql`(select total_fen from charging_order where charging_order.id = refund_order.order_id)`,
    providerNo: sql`(select string_agg(coalesce(refund_id, 'R' || pay_refund.id), '、' order by pay_refund.id) ${attempts})`,
    words: sql`coalesce(refund_order.words, (select min(words) ${attempts} and refund_order.status = 2))`,
    stuck: sql`exists (select ${attempts} and pay_refund.status = ${sql.lit(payRefundStatus.code.abnormal)})`,
    trace: sql`refund_order.trace ->> 'words'`,
    own: sql`coalesce(refund_order.created_by_id = ${readerId}, false)`,
  },
  place: (filter: Filter, { db, scope }) => plannedPlaceConditions(db, scope, table, filter),
  own: async (filter: Filter, { db, scope }) => [
    ...same(table, 'id', filter.refundNo),
    ...same(table, 'order_id', filter.orderNo),
    ...same(table, 'member_id', filter.memberId),
    ...(await phoneConditions(db, scope, table, filter)),
  ],
})

const inStatus = (name: keyof typeof refundStatus.code) =>
  sql`refund_order.status = ${sql.lit(refundStatus.code[name])}`

/** Totals of a filter by stage of the refund. The caller checks that it spans at most a month. */
export async function refundTotals(db: Db, scope: Scope, filter: QueryOf<typeof refundOrder.totals>) {
  const rows = await matchingRows(db, scope, refundList, refundSource(), filter)
  const refunded = inStatus('refunded')
  return moneyTotals(rows, {
    waiting: { column: 'amount_fen', of: inStatus('waiting') },
    refunding: { column: 'amount_fen', of: inStatus('refunding') },
    refunded: { column: 'amount_fen', of: refunded },
    paid: { column: 'paid_fen', of: refunded },
    gift: { column: 'gift_fen', of: refunded },
  })
}
