import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { rechargeRefund, rechargeRefundList, refundableList } from '@wattdeck/contract/order/recharge-refund.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { refuseImpersonation } from '../../../kit/auth/actor.ts'
import { exportHandler, exportOf } from '../../../kit/bulk/list-export.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import { defineApproval } from '../../../kit/http/approval.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { conflict, notFound } from '../../../kit/http/refusal.ts'
import { alreadySettled } from '../../../core/refunds/already-settled.ts'
import * as refunds from '../../../core/refunds/recharge-refund.store.ts'
import * as money from '../../../core/refunds/recharge-refund.ts'
import * as steps from '../../../core/refunds/steps.store.ts'
import { checkSpan } from '../_shared/order-totals.rules.ts'
import { rechargeRefundSource, rechargeRefundTotals } from './recharge-refund.store.ts'
import * as store from './recharge-refund.store.ts'

type Some = Pick<Ctx<never>, 'db' | 'scope' | 'actor' | 'setAuditDetail' | 'setMessage'>
type Refund = refunds.StoredRefund
const table = 'recharge_refund'

const approval = defineApproval<Refund>({
  menu: menuKey.rechargeRefund,
  lists: money.refundLists,
  find: refunds.readRefund,
  doers: ({ createdById, auditedById }) => [
    { by: createdById, refusal: '不能审核或审批自己提交的退款' },
    { by: auditedById, refusal: '审核人与审批人不能是同一人' },
  ],
  label: ({ id, amountFen }) => `退款单${id}，${yuanText(amountFen)}元`,
  path: ({ id }) => `/order/rechargeRefund?refundNo=${id}`,
})

const notifyNext = (ctx: Some, refund: Refund, action: 'edit' | 'approve', title: string) =>
  approval.notifyDeciders(ctx, refund, { title, action, route: `/order/rechargeRefund?status=${refund.status}` })

const yuan = ({ amountFen }: Pick<Refund, 'amountFen'>) => `¥${yuanText(amountFen)}`

const byOf = ({ actor }: Some) => ({ id: actor.userId, name: actor.userName })

/** Declines at either step and releases the reserved money. */
async function decline(ctx: Some, body: { id: string; reason: string }, write: typeof steps.writeAudit) {
  const refund = await approval.readForeign(ctx, body.id)
  if (!(await write(ctx.db, table, refund.id, byOf(ctx), body.reason))) throw conflict(whyNot(ctx, refund))
  await money.releaseReserved(ctx.db, refund)
  ctx.setAuditDetail(`退款单${refund.id} ${body.reason}`)
  ctx.setMessage(`已驳回充值退款 ${yuan(refund)}，冻结金额已退回用户钱包`)
  await approval.notifyApplicant(ctx, refund, '充值退款被驳回', body.reason)
  await approval.publishChange(ctx.db, refund)
  return null
}

/** Explains why no row was updated: the step was taken meanwhile, or the caller took an earlier step. */
const whyNot = ({ actor }: Some, refund: Refund) =>
  refund.auditedById === actor.userId ? '审核人与审批人不能是同一人' : alreadySettled

const mend =
  (work: typeof money.retryRefund, successText: (refund: Refund) => string) =>
  async (ctx: Ctx<typeof rechargeRefund.retry>): Promise<null> => {
    const refund = await approval.readForeign(ctx, ctx.body.id, 'look')
    if (!(await work(ctx.db, refund.id, ctx.actor.userName))) throw conflict('该退款没有异常，不需要处理')
    ctx.setAuditDetail(`退款单${refund.id}`)
    ctx.setMessage(successText(refund))
    await approval.publishChange(ctx.db, refund)
    return null
  }

const rechargeRefundExport = exportOf('rechargeRefund', rechargeRefundList, rechargeRefundSource())

const rechargeRefundHandlers: Handlers<typeof rechargeRefund> = {
  list: ({ db, scope, actor, query }) =>
    listQuery(db, scope, rechargeRefundList, rechargeRefundSource(actor.userId), query),

  totals: async ({ db, scope, query }) => {
    checkSpan(query)
    return rechargeRefundTotals(db, scope, query)
  },

  refundable: async ({ db, scope, params, query }) => {
    if (!(await store.seesMember(db, params.memberId))) throw notFound()
    return listQuery(db, scope, refundableList, store.refundableSource(params.memberId), query)
  },

  quote: async ({ db, query }) => {
    const recharge = await refunds.readRecharge(db, query.rechargeNo, 'look')
    if (recharge === undefined) throw notFound()
    const quote = await money.quoteRecharge(db, recharge, query.amount)
    return {
      rechargeNo: recharge.id,
      recharged: yuanText(recharge.amountFen),
      refunded: yuanText(recharge.refundedFen),
      refundable: yuanText(quote.refundableFen),
      amount: yuanText(quote.amountFen),
      gift: yuanText(quote.gift),
      giftSpent: yuanText(quote.giftSpent),
      payout: yuanText(quote.payout),
    }
  },

  add: async (ctx) => {
    refuseImpersonation(ctx)
    const { db, body } = ctx
    const recharge = await refunds.readRecharge(db, body.rechargeNo, 'lock')
    if (recharge === undefined) throw notFound()
    const request = { amountFen: body.amount, reason: body.reason, by: byOf(ctx) }
    const id = await money.requestRechargeRefund(db, recharge, request)
    ctx.setAuditDetail(`退款单${id} 充值单${recharge.id} ${yuanText(body.amount)}元`)
    ctx.setMessage('退款申请已提交，须由另外两人审核和审批')
    const refund = await approval.read(ctx, id, 'look')
    await notifyNext(ctx, refund, 'edit', '充值退款待审核')
    await approval.publishChange(db, refund)
    return { id }
  },

  audit: async (ctx) => {
    const refund = await approval.readForeign(ctx, ctx.body.id)
    if (!(await steps.writeAudit(ctx.db, table, refund.id, byOf(ctx), null))) throw conflict(alreadySettled)
    ctx.setAuditDetail(`退款单${refund.id}`)
    ctx.setMessage(`已审核通过充值退款 ${yuan(refund)}，等待另一人审批`)
    await notifyNext(ctx, { ...refund, status: 'APPROVALING' }, 'approve', '充值退款待审批')
    await approval.publishChange(ctx.db, refund)
    return null
  },

  auditFail: (ctx) => decline(ctx, ctx.body, steps.writeAudit),

  approve: async (ctx) => {
    const { db } = ctx
    const refund = await approval.readForeign(ctx, ctx.body.id)
    if (!(await steps.writeApproval(db, table, refund.id, byOf(ctx), null))) throw conflict(whyNot(ctx, refund))
    await money.payOut(db, refund)
    ctx.setAuditDetail(`退款单${refund.id} ${yuanText(refund.payoutFen)}元`)
    ctx.setMessage(`已审批通过，正在向支付渠道退款 ¥${yuanText(refund.payoutFen)}`)
    await approval.notifyApplicant(ctx, refund, '充值退款已审批')
    await approval.publishChange(db, refund)
    return null
  },

  approvalFail: (ctx) => decline(ctx, ctx.body, steps.writeApproval),

  cancel: async (ctx) => {
    const { db, body } = ctx
    const refund = await approval.readOwn(ctx, body.id, '只能撤销自己提交的退款')
    if (!(await refunds.writeCancel(db, refund.id, 'cancel'))) throw conflict(alreadySettled)
    await money.releaseReserved(db, refund)
    ctx.setAuditDetail(`退款单${refund.id}`)
    ctx.setMessage(`已撤销充值退款，${yuan(refund)} 已退回用户钱包`)
    await approval.publishChange(db, refund)
    return null
  },

  retry: mend(money.retryRefund, (refund) => `已重新发起退款 ¥${yuanText(refund.payoutFen)}`),
  giveBack: mend(money.cancelStuckRefund, (refund) => `已将 ${yuan(refund)} 退回用户钱包`),

  exportList: exportHandler(rechargeRefundExport),
}

export const rechargeRefundFeature = defineFeature(rechargeRefund, rechargeRefundHandlers, {
  exports: [rechargeRefundExport],
})
