import type { payOrder } from '@wattdeck/contract/order/pay-order.ts'
import { requestExport } from '../../kit/exports.ts'
import type { Handlers } from '../../kit/handlers.ts'
import { notFound } from '../../kit/refusal.ts'
import { payNo } from '../../pay/pay-numbers.ts'
import { lookNow } from '../../pay/pay-order.store.ts'
import { checkSpan } from '../order-totals.rules.ts'
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
    ctx.note(payNo(body.id))
    ctx.say('已向支付渠道查询，结果稍后更新')
    return null
  },

  exportList: async (ctx) => {
    ctx.note(ctx.body.conditions ?? '全部')
    ctx.say('导出任务已提交，请前往「下载管理」查看')
    return requestExport(ctx, payOrderExport, ctx.body)
  },
}
