import { rechargeTarget } from '@wattdeck/contract/accounting/pay-codes.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { rechargeRefundList, type rechargeRefund } from '@wattdeck/contract/order/recharge-refund.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { matchingRows, type Source } from '../../../kit/db/list-query.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { storedRecharge } from '../../../core/payments/stored-status.ts'
import { phoneConditions, payerColumns, plannedPlaceConditions, same, stepsOfReader } from '../_shared/money-filter.ts'
import { inSteps, moneyTotals } from '../_shared/order-totals.ts'

type Filter = QueryOf<typeof rechargeRefund.list>
const table = 'recharge_refund'
const attempt = sql`from pay_refund where pay_refund.id = recharge_refund.pay_refund_id`

/** `readerId`: the reader, who must not take a second step. An export needs none. */
export const rechargeRefundSource = (readerId = '0'): Source => ({
  table,
  computed: {
    ...payerColumns(table),
    ...stepsOfReader(table, readerId),
    rechargeNo: sql`recharge_refund.recharge_id`,
    recharged: sql`(select amount_fen from recharge_order where recharge_order.id = recharge_refund.recharge_id)`,
    providerNo: sql`(select coalesce(refund_id, 'R' || pay_refund.id) ${attempt})`,
    words: sql`coalesce((select words ${attempt} and recharge_refund.status = 'APPROVALING_FINISH'), recharge_refund.words)`,
  },
  place: (filter: Filter, { db, scope }) => plannedPlaceConditions(db, scope, table, filter),
  own: async (filter: Filter, { db, scope }) => [
    ...same(table, 'id', filter.refundNo),
    ...same(table, 'recharge_id', filter.rechargeNo),
    ...(await phoneConditions(db, scope, table, filter)),
  ],
})

/** Totals of a filter by stage of the refund. The caller checks that it spans at most a month. */
export async function rechargeRefundTotals(db: Db, scope: Scope, filter: QueryOf<typeof rechargeRefund.totals>) {
  const rows = await matchingRows(db, scope, rechargeRefundList, rechargeRefundSource(), filter)
  const finished = inSteps(table, ['finished'])
  return moneyTotals(rows, {
    waiting: { column: 'amount_fen', of: inSteps(table, ['auditing', 'approving']) },
    refunding: { column: 'payout_fen', of: inSteps(table, ['refunding']) },
    refunded: { column: 'payout_fen', of: finished },
    gift: { column: 'gift_fen', of: finished },
  })
}

export async function seesMember(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`select from member where id = ${id}`.execute(db)
  return rows.length > 0
}

/** Recharges of a member's wallet that are paid, not fully refunded, and visible to the caller. */
export const refundableSource = (memberId: string): Source => ({
  table: 'recharge_order',
  where: sql<boolean>`recharge_order.member_id = ${memberId}
    and recharge_order.status = ${sql.lit(storedRecharge.number.paid)}
    and recharge_order.target = ${sql.lit(rechargeTarget.code.wallet)}
    and recharge_order.pay_order_id is not null
    and recharge_order.refunded_fen < recharge_order.amount_fen`,
  computed: { left: sql`recharge_order.amount_fen - recharge_order.refunded_fen` },
})
