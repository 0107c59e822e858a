import type { OrderRow } from '@wattdeck/contract/order/order-row.ts'
import { sql } from 'kysely'
import { endText } from '../../../core/charging/order-labels.ts'
import type { Source } from '../../../kit/db/list-query.ts'
import { payerColumns } from './money-filter.ts'
import { orderConditions } from './order-filter.ts'

const table = 'charging_order'

/** Refunds of an order that are requested or under way. Their money is reserved, and only few orders have any. */
export const refundingFen = sql`case when charging_order.refunded_fen = 0 then 0 else (
  select coalesce(sum(amount_fen), 0) from refund_order
  where refund_order.order_id = charging_order.id and refund_order.status in (1, 2)) end`

/** What lowered the total of an order. */
export const discountFen = sql`charging_order.discount_fen + charging_order.coupon_fen + charging_order.pass_fen`

/** Source of every list of orders. */
export const orderSource = {
  table,
  // The order number encodes the creation time.
  sorts: { createdAt: [] },
  computed: {
    ...payerColumns(table),
    deviceName: sql`(select name from device where device.id = charging_order.device_id)`,
    typeName: sql`(select name from device_type where device_type.id = charging_order.device_type_id)`,
    // Null where row-level security hides the tariff; the reader then receives only its name.
    tariffId: sql`(select version.tariff_id from tariff_version version where version.id = charging_order.tariff_version_id)`,
    tariffName: sql`(app.order_tariff(charging_order.tariff_version_id)).name`,
    createdAt: sql`app.message_time(charging_order.id)`,
    refunded: sql`charging_order.refunded_fen - (${refundingFen})`,
    refunding: refundingFen,
    discount: discountFen,
    held: sql`charging_order.held_paid_fen + charging_order.held_gift_fen`,
  },
  place: orderConditions,
  complete: (row: OrderRow) => {
    row.stopReason = endText(row.status, row.stopReason, row.durationS !== null)
  },
} satisfies Source
