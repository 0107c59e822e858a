import { completedOrder, completedOrderList } from '@wattdeck/contract/order/completed-order.ts'
import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { sql } from 'kysely'
import { exportHandler, exportOf } from '../../../kit/bulk/list-export.ts'
import { listQuery, matchingRows } from '../../../kit/db/list-query.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { orderSource } from '../_shared/order-source.ts'
import { orderTotals } from '../_shared/order-totals.ts'
import { checkSpan } from '../_shared/order-totals.rules.ts'

// No store: every list of orders has the same source.
const source = { ...orderSource, where: sql<boolean>`charging_order.status = ${sql.lit(orderStatus.code.billed)}` }
const completedOrderExport = exportOf('completedOrder', completedOrderList, source)

const completedOrderHandlers: Handlers<typeof completedOrder> = {
  list: ({ db, scope, query }) => listQuery(db, scope, completedOrderList, source, query),

  totals: async ({ db, scope, query }) => {
    checkSpan(query)
    return orderTotals(await matchingRows(db, scope, completedOrderList, source, query))
  },

  exportList: exportHandler(completedOrderExport),
}

export const completedOrderFeature = defineFeature(completedOrder, completedOrderHandlers, {
  exports: [completedOrderExport],
})
