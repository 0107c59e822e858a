import { orderStatistics } from '@wattdeck/contract/order/order-statistics.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { exportHandler } from '../../../kit/bulk/list-export.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { orderStatisticsExport } from './order-statistics.export.ts'
import * as store from './order-statistics.store.ts'

const orderStatisticsHandlers: Handlers<typeof orderStatistics> = {
  list: ({ db, scope, query }) => store.listOrderStatistics(db, scope, query),

  totals: ({ db, scope, query }) => store.orderStatisticsTotals(db, scope, query),

  exportList: exportHandler(orderStatisticsExport),
}

export const orderStatisticsFeature = defineFeature(orderStatistics, orderStatisticsHandlers, {
  exports: [orderStatisticsExport],
})
