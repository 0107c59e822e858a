import type { rechargeRecord } from '@wattdeck/contract/order/recharge-record.ts'
import { requestExport } from '../../../kit/bulk/exports.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { checkSpan } from '../_shared/order-totals.rules.ts'
import { rechargeExport } from './recharge-record.export.ts'
import * as store from './recharge-record.store.ts'

export const rechargeRecordHandlers: Handlers<typeof rechargeRecord> = {
  list: ({ db, scope, query }) => store.listRecharges(db, scope, query),

  totals: async ({ db, scope, query }) => {
    checkSpan(query)
    return store.rechargeTotals(db, scope, query)
  },

  exportList: async (ctx) => {
    ctx.setAuditDetail(ctx.body.conditions ?? '全部')
    ctx.setMessage('导出任务已提交，请前往「下载管理」查看')
    return requestExport(ctx, rechargeExport, ctx.body)
  },
}
