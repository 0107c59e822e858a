import type { completedOrder } from '@wattdeck/contract/order/completed-order.ts'
import { requestExport } from '../../../kit/bulk/exports.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { checkSpan } from '../_shared/order-totals.rules.ts'
import { completedOrderExport } from './completed-order.export.ts'
import * as store from './completed-order.store.ts'

export const completedOrderHandlers: Handlers<typeof completedOrder> = {
  list: ({ db, scope, query }) => store.listCompletedOrders(db, scope, query),

  totals: async ({ db, scope, query }) => {
    checkSpan(query)
    return store.completedTotals(db, scope, query)
  },

  exportList: async (ctx) => {
    ctx.setAuditDetail(ctx.body.conditions ?? '全部')
    ctx.setMessage('导出任务已提交，请前往「下载管理」查看')
    return requestExport(ctx, completedOrderExport, ctx.body)
  },
}
