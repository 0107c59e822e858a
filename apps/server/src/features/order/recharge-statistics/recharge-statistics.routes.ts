import type { rechargeStatistics } from '@wattdeck/contract/order/recharge-statistics.ts'
import { requestExport } from '../../../kit/bulk/exports.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { rechargeStatisticsExport } from './recharge-statistics.export.ts'
import * as store from './recharge-statistics.store.ts'

export const rechargeStatisticsHandlers: Handlers<typeof rechargeStatistics> = {
  list: ({ db, scope, query }) => store.listRechargeStatistics(db, scope, query),

  totals: ({ db, scope, query }) => store.rechargeStatisticsTotals(db, scope, query),

  exportList: async (ctx) => {
    ctx.setAuditDetail(ctx.body.conditions ?? '全部')
    ctx.setMessage('导出任务已提交，请前往「下载管理」查看')
    return requestExport(ctx, rechargeStatisticsExport, ctx.body)
  },
}
