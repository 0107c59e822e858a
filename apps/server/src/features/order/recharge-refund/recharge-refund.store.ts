import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { rechargeRefund } from '@wattdeck/contract/order/recharge-refund.ts'
import { sql } from 'kysely'
import type { Source } from '../../../kit/db/list-query.ts'
import { ofPhone, payerColumns, placedAndMade, same, stepsOfReader } from '../_shared/money-filter.ts'

type Filter = QueryOf<typeof rechargeRefund.list>
const table = 'recharge_refund'
const attempt = sql`from pay_refund where pay_refund.id = recharge_refund.pay_refund_id`

/** `readerId`: who reads, and does no second step. A file needs nobody. */
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
  place: (filter: Filter, { db, scope }) => placedAndMade(db, scope, table, filter),
  own: async (filter: Filter, { db, scope }) => [
    ...same(table, 'id', filter.refundNo),
    ...same(table, 'recharge_id', filter.rechargeNo),
    ...(await ofPhone(db, scope, table, filter)),
  ],
})
