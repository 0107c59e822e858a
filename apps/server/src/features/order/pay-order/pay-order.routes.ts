import { payOrder, payList } from '@wattdeck/contract/order/pay-order.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { exportHandler, exportOf } from '../../../kit/bulk/list-export.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { notFound, orNotFound } from '../../../kit/http/refusal.ts'
import { payNo } from '../../../core/payments/pay-numbers.ts'
import { lookNow } from '../../../core/payments/pay-order.store.ts'
import { checkSpan } from '../_shared/order-totals.rules.ts'
import { paySource } from './pay-order.store.ts'
import * as store from './pay-order.store.ts'

const payOrderExport = exportOf('payOrder', payList, paySource)

const payOrderHandlers: Handlers<typeof payOrder> = {
  list: ({ db, scope, query }) => listQuery(db, scope, payList, paySource, query),

  totals: async ({ db, scope, query }) => {
    checkSpan(query)
    return store.payTotals(db, scope, query)
  },

  detail: async ({ db, params }) => {
    return orNotFound(await store.readPayOrder(db, params.id))
  },

  /** The worker queries the provider, so that a slow provider blocks neither the caller nor a connection. */
  sync: async (ctx) => {
    const { db, body } = ctx
    if (!(await store.seesPayOrder(db, body.id))) throw notFound()
    await lookNow(db, body.id)
    ctx.setAuditDetail(payNo(body.id))
    ctx.setMessage('已向支付渠道查询，结果稍后更新')
    return null
  },

  exportList: exportHandler(payOrderExport),
}

export const payOrderFeature = defineFeature(payOrder, payOrderHandlers, { exports: [payOrderExport] })
