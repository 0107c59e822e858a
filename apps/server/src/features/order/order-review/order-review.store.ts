import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { orderReview, ReviewOrder } from '@wattdeck/contract/order/order-review.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { byId, pageOf, type Paging } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { orderColumns, shownOrder, yuan } from '../_shared/order-columns.ts'
import { lookUp, ordersMatching } from '../_shared/order-filter.ts'

type Filter = QueryOf<typeof orderReview.list>

/** Written out, because an index of its own serves it. */
const inReview = sql<boolean>`charging_order.status = 5`

type Rival = Omit<ReviewOrder['rivals'][number], 'total'> & { totalFen: string }

/** Orders that the device calls by the same number: looked for only where their bills contradict. */
const rivals = sql<Rival[]>`case when 'contradicts' = any(charging_order.review_reasons) then array(
  select json_build_object(
    'id', other.id::text,
    'status', other.status,
    'energyDwh', other.energy_dwh,
    'totalFen', other.total_fen::text
  )
  from charging_order other
  where other.device_id = charging_order.device_id
    and other.wire_no = charging_order.wire_no
    and other.id <> charging_order.id
  order by other.id
  limit 5
) else '{}'::json[] end`

export async function listReviews(db: Db, scope: Scope, filter: Filter & Paging) {
  const { reason } = filter
  const known = await lookUp(db, scope, filter)
  const conditions = [
    inReview,
    ...(reason === undefined ? [] : [sql<boolean>`${reason} = any(charging_order.review_reasons)`]),
  ]
  const found = await pageOf(db, ordersMatching(db, scope, filter, known, conditions), filter, {
    key: byId('charging_order.id'),
    columns: (query) =>
      query
        .select(orderColumns)
        .select([
          sql<string>`charging_order.held_paid_fen + charging_order.held_gift_fen`.as('heldFen'),
          sql<ReviewOrder['reviewReasons']>`charging_order.review_reasons`.as('reviewReasons'),
          rivals.as('rivals'),
        ]),
  })
  const rows = found.rows.map(({ heldFen, rivals: others, ...row }) => ({
    ...shownOrder(row),
    held: yuan(heldFen),
    rivals: others.map(({ totalFen, ...rival }) => ({ ...rival, total: yuan(totalFen) })),
  }))
  return { ...found, rows: rows as ReviewOrder[] }
}
