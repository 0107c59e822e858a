import type { orderStatistics } from '@wattdeck/contract/order/order-statistics.ts'
import { requestExport } from '../../../kit/bulk/exports.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { orderStatisticsExport } from './order-statistics.export.ts'
import * as store from './order-statistics.store.ts'

export const orderStatisticsHandlers: Handlers<typeof orderStatistics> = {
  list: ({ db, scope, query }) => store.listOrderStatistics(db, scope, query),

  totals: ({ db, scope, query }) => store.orderStatisticsTotals(db, scope, query),

  exportList: async (ctx) => {
    ctx.setAuditDetail(ctx.body.conditions ?? '全部')
    ctx.setMessage('导出任务已提交，请前往「下载管理」查看')
    return requestExport(ctx, orderStatisticsExport, ctx.body)
  },
}
