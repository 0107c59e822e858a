import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { orderReview } from '@wattdeck/contract/order/order-review.ts'
import { sql } from 'kysely'
import type { Source } from '../../../kit/db/list-query.ts'
import { orderSource } from '../_shared/order-source.ts'

/** Orders with the same number on the device. They are queried only where their bills contradict. */
const rivals = sql`case when 'contradicts' = any(charging_order.review_reasons) then array(
  select json_build_object(
    'id', other.id::text,
    'status', other.status,
    'energyDwh', other.energy_dwh,
    'total', round(other.total_fen / 100.0, 2)::text
  )
  from charging_order other
  where other.device_id = charging_order.device_id
    and other.wire_no = charging_order.wire_no
    and other.id <> charging_order.id
  order by other.id
  limit 5
) else '{}'::json[] end`

export const reviewSource: Source = {
  ...orderSource,
  computed: { ...orderSource.computed, rivals },
  // A literal instead of a parameter, so that the partial index applies.
  where: sql<boolean>`charging_order.status = 5`,
  own: ({ reason }: QueryOf<typeof orderReview.list>) =>
    reason === undefined ? [] : [sql<boolean>`${reason} = any(charging_order.review_reasons)`],
}
