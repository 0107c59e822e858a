import { rechargeStatistics } from '@wattdeck/contract/order/recharge-statistics.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { exportHandler } from '../../../kit/bulk/list-export.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { rechargeStatisticsExport } from './recharge-statistics.export.ts'
import * as store from './recharge-statistics.store.ts'

const rechargeStatisticsHandlers: Handlers<typeof rechargeStatistics> = {
  list: ({ db, scope, query }) => store.listRechargeStatistics(db, scope, query),

  totals: ({ db, scope, query }) => store.rechargeStatisticsTotals(db, scope, query),

  exportList: exportHandler(rechargeStatisticsExport),
}

export const rechargeStatisticsFeature = defineFeature(rechargeStatistics, rechargeStatisticsHandlers, {
  exports: [rechargeStatisticsExport],
})
