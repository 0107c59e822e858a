import type { customerAnalysis } from '@wattdeck/contract/accounting/customer-analysis.ts'
import { requestExport } from '../../../kit/bulk/exports.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { customerAnalysisExport } from './customer-analysis.export.ts'
import { listCustomers } from './customer-analysis.store.ts'

export const customerAnalysisHandlers: Handlers<typeof customerAnalysis> = {
  list: ({ db, scope, query }) => listCustomers(db, scope, query),

  exportList: async (ctx) => {
    ctx.setAuditDetail(ctx.body.conditions ?? '全部')
    ctx.setMessage('导出任务已提交，请前往「下载管理」查看')
    return requestExport(ctx, customerAnalysisExport, ctx.body)
  },
}
