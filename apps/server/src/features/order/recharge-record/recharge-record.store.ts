import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { rechargeList, type rechargeRecord } from '@wattdeck/contract/order/recharge-record.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { matchingRows, type Source } from '../../../kit/db/list-query.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { phoneConditions, payerColumns, plannedPlaceConditions, same } from '../_shared/money-filter.ts'
import { paidTotals } from '../_shared/order-totals.ts'
import { storedRecharge } from '../../../core/payments/stored-status.ts'

const table = 'recharge_order'
const isPaid = sql`recharge_order.status = ${sql.lit(storedRecharge.number.paid)}`

type Filter = QueryOf<typeof rechargeRecord.list>

export const rechargeSource: Source = {
  table,
  sorts: { createdAt: [] },
  stored: { status: storedRecharge },
  computed: {
    ...payerColumns(table),
    credited: sql`case when ${isPaid} then recharge_order.amount_fen + recharge_order.gift_fen else 0 end`,
    cardNo: sql`(select card_no from stored_card where stored_card.id = recharge_order.card_id)`,
    transactionId: sql`(select transaction_id from pay_order where pay_order.id = recharge_order.pay_order_id)`,
  },
  place: (filter: Filter, { db, scope }) => plannedPlaceConditions(db, scope, table, filter),
  own: async (filter: Filter, { db, scope }) => [
    ...same(table, 'id', filter.rechargeNo),
    ...same(table, 'member_id', filter.memberId),
    ...(await phoneConditions(db, scope, table, filter)),
  ],
}

/** Totals of the paid rows of a filter. The caller checks that it spans at most a month. */
export async function rechargeTotals(db: Db, scope: Scope, filter: QueryOf<typeof rechargeRecord.totals>) {
  const rows = await matchingRows(db, scope, rechargeList, rechargeSource, filter)
  return paidTotals(rows, isPaid, { amount: 'amount_fen', gift: 'gift_fen', refunded: 'refunded_fen' })
}
