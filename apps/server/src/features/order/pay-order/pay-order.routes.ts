import type { payOrder } from '@wattdeck/contract/order/pay-order.ts'
import { requestExport } from '../../../kit/bulk/exports.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { notFound } from '../../../kit/http/refusal.ts'
import { payNo } from '../../../core/payments/pay-numbers.ts'
import { lookNow } from '../../../core/payments/pay-order.store.ts'
import { checkSpan } from '../_shared/order-totals.rules.ts'
import { payOrderExport } from './pay-order.export.ts'
import * as store from './pay-order.store.ts'

export const payOrderHandlers: Handlers<typeof payOrder> = {
  list: ({ db, scope, query }) => store.listPayOrders(db, scope, query),

  totals: async ({ db, scope, query }) => {
    checkSpan(query)
    return store.payTotals(db, scope, query)
  },

  detail: async ({ db, scope, params }) => {
    const found = await store.readPayOrder(db, scope, params.id)
    if (found === undefined) throw notFound()
    return found
  },

  /** A worker asks: what a provider takes long to answer must hold up neither this person nor a connection. */
  sync: async (ctx) => {
    const { db, scope, body } = ctx
    if (!(await store.seesPayOrder(db, scope, body.id))) throw notFound()
    await lookNow(db, scope, body.id)
    ctx.setAuditDetail(payNo(body.id))
    ctx.setMessage('已向支付渠道查询，结果稍后更新')
    return null
  },

  exportList: async (ctx) => {
    ctx.setAuditDetail(ctx.body.conditions ?? '全部')
    ctx.setMessage('导出任务已提交，请前往「下载管理」查看')
    return requestExport(ctx, payOrderExport, ctx.body)
  },
}
