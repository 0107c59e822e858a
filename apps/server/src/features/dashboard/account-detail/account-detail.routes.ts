import type { accountDetail } from '@wattdeck/contract/dashboard/account-detail.ts'
import { requestExport } from '../../../kit/bulk/exports.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { notFound } from '../../../kit/http/refusal.ts'
import { listEntries } from '../../../core/ledger/statement.ts'
import { accountExport } from './account-detail.export.ts'
import * as store from './account-detail.store.ts'

export const accountDetailHandlers: Handlers<typeof accountDetail> = {
  list: ({ db, scope, query }) => store.listAccounts(db, scope, query),

  entries: async ({ db, scope, params, query }) => {
    const account = await store.findAccount(db, scope, params.id)
    if (account === undefined) throw notFound()
    return listEntries(db, scope, account, query)
  },

  exportList: async (ctx) => {
    ctx.setAuditDetail(ctx.body.conditions ?? '全部')
    ctx.setMessage('导出任务已提交，请前往「下载管理」查看')
    return requestExport(ctx, accountExport, ctx.body)
  },
}
