import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { orderReview, ReviewOrder } from '@wattdeck/contract/order/order-review.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db.ts'
import { byId, pageOf, type Paging } from '../../kit/paging.ts'
import type { Scope } from '../../kit/scope.ts'
import { orderColumns, shownOrder, yuan } from '../order-columns.ts'
import { lookUp, ordersMatching } from '../order-filter.ts'

type Filter = QueryOf<typeof orderReview.list>

/** Written out, because an index of its own serves it. */
const inReview = sql<boolean>`charging_order.status = 5`

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
        ]),
  })
  const rows = found.rows.map(({ heldFen, ...row }) => ({ ...shownOrder(row), held: yuan(heldFen) }))
  return { ...found, rows: rows as ReviewOrder[] }
}
