import type { wechatUser } from '@wattdeck/contract/member/wechat-user.ts'
import { requestExport } from '../../../kit/bulk/exports.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { wechatUserExport } from './wechat-user.export.ts'
import * as store from './wechat-user.store.ts'

export const wechatUserHandlers: Handlers<typeof wechatUser> = {
  list: ({ db, scope, query }) => store.listWechatUsers(db, scope, query),
  apps: ({ db, scope }) => store.listWechatApps(db, scope),
  exportList: async (ctx) => {
    ctx.setAuditDetail(ctx.body.conditions ?? '全部')
    ctx.setMessage('导出任务已提交，请前往「下载管理」查看')
    return requestExport(ctx, wechatUserExport, ctx.body)
  },
}
