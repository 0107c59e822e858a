import type { OrderRow } from '@wattdeck/contract/order/order-row.ts'
import { sql } from 'kysely'
import { endText } from '../../../core/charging/order-labels.ts'
import type { Source } from '../../../kit/db/list-query.ts'
import { payerColumns } from './money-filter.ts'
import { orderConditions } from './order-filter.ts'

const table = 'charging_order'

/** Where every list of orders comes from. */
export const orderSource = {
  table,
  computed: {
    ...payerColumns(table),
    deviceName: sql`(select name from device where device.id = charging_order.device_id)`,
    typeName: sql`(select name from device_type where device_type.id = charging_order.device_type_id)`,
    tariffName: sql`(app.order_tariff(charging_order.tariff_version_id)).name`,
    createdAt: sql`app.message_time(charging_order.id)`,
    held: sql`charging_order.held_paid_fen + charging_order.held_gift_fen`,
  },
  place: orderConditions,
  complete: (row: OrderRow) => {
    row.stopReason = endText(row.status, row.stopReason, row.durationS !== null)
  },
} satisfies Source
