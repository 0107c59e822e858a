import { completedOrder } from '@wattdeck/contract/order/completed-order.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { exportHandler } from '../../../kit/bulk/list-export.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { checkSpan } from '../_shared/order-totals.rules.ts'
import { completedOrderExport } from './completed-order.export.ts'
import * as store from './completed-order.store.ts'

const completedOrderHandlers: Handlers<typeof completedOrder> = {
  list: ({ db, scope, query }) => store.listCompletedOrders(db, scope, query),

  totals: async ({ db, scope, query }) => {
    checkSpan(query)
    return store.completedTotals(db, scope, query)
  },

  exportList: exportHandler(completedOrderExport),
}

export const completedOrderFeature = defineFeature(completedOrder, completedOrderHandlers, {
  exports: [completedOrderExport],
})
