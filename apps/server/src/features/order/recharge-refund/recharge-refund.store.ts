import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { RechargeRefund, rechargeRefund } from '@wattdeck/contract/order/recharge-refund.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { ownerNames } from '../../../kit/db/ownership.ts'
import { byId, pageOf, type Paging } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { ofPhone, placedAndMade, same } from '../_shared/money-filter.ts'
import { yuan } from '../_shared/order-columns.ts'

type Filter = QueryOf<typeof rechargeRefund.list> & Paging
const table = 'recharge_refund'
const attempt = sql`from pay_refund where pay_refund.id = recharge_refund.pay_refund_id`

const columns = [
  'recharge_refund.id',
  'recharge_refund.recharge_id as rechargeNo',
  'recharge_refund.member_id as memberId',
  sql<string | null>`(app.order_payer(recharge_refund.member_id)).nickname`.as('memberName'),
  sql<string | null>`(app.order_payer(recharge_refund.member_id)).phone`.as('memberPhone'),
  ...ownerNames(table),
  'recharge_refund.provider',
  sql<string>`(select amount_fen from recharge_order where recharge_order.id = recharge_refund.recharge_id)::text`.as(
    'rechargedFen',
  ),
  'recharge_refund.amount_fen as amountFen',
  'recharge_refund.gift_fen as giftFen',
  'recharge_refund.gift_spent_fen as giftSpentFen',
  'recharge_refund.payout_fen as payoutFen',
  'recharge_refund.reason',
  'recharge_refund.status',
  sql<string | null>`(select coalesce(refund_id, 'R' || pay_refund.id) ${attempt})`.as('providerNo'),
  sql<
    string | null
  >`coalesce((select words ${attempt} and recharge_refund.status = 'APPROVALING_FINISH'), recharge_refund.words)`.as(
    'words',
  ),
  'recharge_refund.stuck',
  'recharge_refund.created_by as createdBy',
  'recharge_refund.created_at as createdAt',
  'recharge_refund.audited_by as auditedBy',
  'recharge_refund.audited_at as auditedAt',
  'recharge_refund.approved_by as approvedBy',
  'recharge_refund.approved_at as approvedAt',
  'recharge_refund.decision',
  'recharge_refund.finished_at as finishedAt',
] as const

/** `readerId`: who reads, and does no second step. A file needs nobody. */
export async function listRechargeRefunds(db: Db, scope: Scope, filter: Filter, readerId = '0') {
  const conditions = [
    ...(await placedAndMade(db, scope, table, filter)),
    ...same(table, 'id', filter.refundNo),
    ...same(table, 'recharge_id', filter.rechargeNo),
    ...(await ofPhone(db, scope, table, filter)),
    ...same(table, 'status', filter.status),
  ]
  const matching = db.selectFrom(table).where(sql<boolean>`${sql.join(conditions, sql` and `)}`)
  const found = await pageOf(db, matching, filter, {
    key: byId('recharge_refund.id'),
    columns: (query) =>
      query.select([
        ...columns,
        sql<boolean>`coalesce(recharge_refund.created_by_id = ${readerId}, false)`.as('own'),
        sql<boolean>`coalesce(${readerId} in (created_by_id, audited_by_id, approved_by_id), false)`.as('acted'),
      ]),
  })
  const rows = found.rows.map(({ rechargedFen, amountFen, giftFen, giftSpentFen, payoutFen, ...row }) => {
    const amounts = { recharged: yuan(rechargedFen), amount: yuan(amountFen), payout: yuan(payoutFen) }
    return { ...row, ...amounts, gift: yuan(giftFen), giftSpent: yuan(giftSpentFen) } as unknown as RechargeRefund
  })
  return { ...found, rows }
}
