import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { orderReview, orderReviewList, reviewChoice, type ReviewOption } from '@wattdeck/contract/order/order-review.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { explain } from '@wattdeck/domain/tariff/explain.ts'
import { billChosen, type Option, optionsFor, releaseChosen } from '../../../core/charging/decide-order.ts'
import type { LockedOrder } from '../../../core/charging/order.store.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { exportHandler, exportOf } from '../../../kit/bulk/list-export.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { conflict } from '../../../kit/http/refusal.ts'
import { withLockedOrder, lookingAtOrder } from '../_shared/order-access.ts'
import { reviewSource } from './order-review.store.ts'

const nothing = yuanText(0n)
const reservedFenOf = (order: LockedOrder) => order.heldPaidFen + order.heldGiftFen

function assertInReview({ status }: LockedOrder): void {
  if (status !== orderStatus.code.review) throw conflict('订单已处理，请刷新后查看')
}

const blank = {
  problem: null,
  durationS: null,
  energyDwh: null,
  electricity: nothing,
  service: nothing,
  occupancy: nothing,
  total: nothing,
  newHold: false,
  explanation: [],
}

function shown(order: LockedOrder, option: Option): ReviewOption {
  if (option.choice === 'release') return { ...blank, choice: 'release', returned: yuanText(reservedFenOf(order)) }
  const { choice, bill: chosen, problem } = option
  if (chosen === undefined) return { ...blank, choice, problem: problem ?? null, returned: nothing }
  const { measured, bill } = chosen.pricing
  return {
    choice,
    problem: null,
    durationS: measured.durationS,
    energyDwh: measured.energyDwh,
    electricity: yuanText(bill.electricityFen),
    service: yuanText(bill.serviceFen),
    occupancy: yuanText(bill.occupancyFen),
    total: yuanText(bill.totalFen),
    returned: chosen.newHold ? nothing : yuanText(reservedFenOf(order) - bill.totalFen),
    newHold: chosen.newHold,
    explanation: explain(bill),
  }
}

const orderReviewExport = exportOf('orderReview', orderReviewList, reviewSource)

const orderReviewHandlers: Handlers<typeof orderReview> = {
  list: ({ db, scope, query }) => listQuery(db, scope, orderReviewList, reviewSource, query),

  exportList: exportHandler(orderReviewExport),

  options: (ctx) =>
    lookingAtOrder(ctx, ctx.params.id, async (order) => {
      assertInReview(order)
      return (await optionsFor(ctx.db, order)).map((option) => shown(order, option))
    }),

  decide: (ctx) =>
    withLockedOrder(ctx, ctx.body.id, async (order) => {
      const { db, actor, body } = ctx
      assertInReview(order)
      const option = (await optionsFor(db, order)).find(({ choice }) => choice === body.choice)
      if (option === undefined) throw conflict('不能这样处理该订单')
      const { total, problem } = shown(order, option)
      if (problem !== null) throw conflict(problem)
      if (total !== body.total) throw conflict(`金额已变为${total}元，请重新确认`)
      const decided = { by: actor.userName, why: body.reason }
      if (option.choice === 'release') await releaseChosen(db, order, decided)
      else if (option.bill !== undefined) await billChosen(db, option.bill, decided)
      ctx.setAuditDetail(`订单${order.id}，${reviewChoice.show(body.choice).label}，${total}元，${body.reason}`)
      ctx.setMessage(
        body.choice === 'release' ? `已全额退回预付金额 ¥${yuanText(reservedFenOf(order))}` : `已按 ¥${total} 结算`,
      )
      return null
    }),
}

export const orderReviewFeature = defineFeature(orderReview, orderReviewHandlers, { exports: [orderReviewExport] })
