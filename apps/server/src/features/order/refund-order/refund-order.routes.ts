import type { DataOf, QueryOf } from '@wattdeck/contract/kit/route.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { refundStatus, refundWay } from '@wattdeck/contract/order/refund-codes.ts'
import { refundOrder, refundList } from '@wattdeck/contract/order/refund-order.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { suspicionsOf } from '@wattdeck/domain/refund.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { refuseImpersonation } from '../../../kit/auth/actor.ts'
import { exportHandler, exportOf } from '../../../kit/bulk/list-export.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import { defineApproval } from '../../../kit/http/approval.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { conflict, forbidden, invalid, notFound } from '../../../kit/http/refusal.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { withWholeOrganiseScope } from '../../../kit/db/whole-organise.ts'
import { alreadySettled } from '../../../core/refunds/already-settled.ts'
import { readPolicy, spendByRule, type Trace, writePolicy } from '../../../core/refunds/auto-refund.ts'
import { mendOrderRefund } from '../../../core/refunds/order-refund.hook.ts'
import * as refunds from '../../../core/refunds/order-refund.store.ts'
import {
  approveOrderRefund,
  requestOrderRefund,
  declineOrderRefund,
  leftOf,
} from '../../../core/refunds/order-refund.ts'
import { sourcesOf } from '../../../core/refunds/origin.store.ts'
import { payerOf } from '../../../core/refunds/payer.ts'
import { organiseOf } from '../_shared/order-access.ts'
import { checkSpan } from '../_shared/order-totals.rules.ts'
import { refundSource, refundTotals } from './refund-order.store.ts'

type Some = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>
const approval = defineApproval<refunds.OrderRefund>({
  menu: menuKey.refundOrder,
  lists: ['refundOrder', 'order', 'member'],
  find: refunds.readRefund,
  doers: ({ createdById }) => [{ by: createdById, refusal: '不能审批自己提交的退款' }],
  label: ({ id, amountFen }) => `退款单${id}，${yuanText(amountFen)}元`,
  path: ({ id }) => `/order/refundOrder?refundNo=${id}`,
})

type Status = DataOf<typeof refundOrder.add>['status']

async function approveByRule(db: Some['db'], id: string, trace: Trace): Promise<void> {
  const refund = await refunds.readRefund(db, id, 'lock')
  if (refund === undefined) throw notFound()
  await approveOrderRefund(db, refund, { by: '自动退款规则', byId: null, trace })
}

type Work<T> = (refund: refunds.OrderRefund, wider: Scope) => Promise<T>

/** Runs a decision on the refund of another user. The order is locked before its refund. */
async function deciding<T>(ctx: Some, id: string, work: Work<T>): Promise<T> {
  const { db, scope } = ctx
  const seen = await approval.readForeign(ctx, id, 'look')
  return withWholeOrganiseScope(db, scope, seen.organiseId, async (wider) => {
    await refunds.readBilled(db, seen.orderId, 'lock')
    const refund = await refunds.readRefund(db, id, 'lock')
    if (refund?.status !== refundStatus.code.waiting) throw conflict(alreadySettled)
    return work(refund, wider)
  })
}

/** Organisation of the rule: the platform names it, every other caller has one. */
function organiseFor({ scope, actor }: Some, requestedId: string | undefined): string | undefined {
  if (scope.level === 0) return requestedId
  if (requestedId !== undefined && requestedId !== actor.organiseId) throw notFound()
  return actor.organiseId
}

const mend =
  (how: 'again' | 'wallet') =>
  async (ctx: Ctx<typeof refundOrder.retry>): Promise<null> => {
    const seen = await approval.readForeign(ctx, ctx.body.id, 'look')
    // mendOrderRefund locks the payment before the refund, so nothing is locked here.
    const mended = await withWholeOrganiseScope(ctx.db, ctx.scope, seen.organiseId, () =>
      mendOrderRefund(ctx.db, ctx.body.id, how, ctx.actor.userName),
    )
    if (mended === 0) throw conflict('该退款没有异常，不需要处理')
    ctx.setAuditDetail(`退款单${ctx.body.id}`)
    const amount = `¥${yuanText(seen.amountFen)}`
    ctx.setMessage(how === 'again' ? `已重新发起退款 ${amount}` : `已将退款 ${amount} 转入用户钱包`)
    return null
  }

const refundOrderExport = exportOf('refundOrder', refundList, refundSource())

const refundOrderHandlers: Handlers<typeof refundOrder> = {
  list: ({ db, scope, actor, query }) => listQuery(db, scope, refundList, refundSource(actor.userId), query),

  totals: async ({ db, scope, query }) => {
    checkSpan(query)
    return refundTotals(db, scope, query)
  },

  quote: async ({ db, scope, query }) =>
    withWholeOrganiseScope(db, scope, await organiseOf(db, query.orderNo), () => quote(db, query)),

  add: async (ctx) => {
    refuseImpersonation(ctx)
    const { db, scope, actor, body } = ctx
    const by = { id: actor.userId, name: actor.userName }
    const organiseId = await organiseOf(db, body.orderNo)
    const refund = await withWholeOrganiseScope(db, scope, organiseId, async () => {
      const order = await refunds.readBilled(db, body.orderNo, 'lock')
      if (order === undefined) throw notFound()
      const params = { amountFen: body.amount, way: body.way, reason: body.reason, by }
      const id = await requestOrderRefund(db, order, params)
      const trace = await spendByRule(db, order, { amountFen: body.amount, byId: actor.userId })
      if (trace !== undefined) await approveByRule(db, id, trace)
      await approval.publishChange(db, order)
      return approval.read(ctx, id)
    })
    ctx.setAuditDetail(`退款单${refund.id} 订单${body.orderNo} ${yuanText(body.amount)}元`)
    const status = refund.status as Status
    const waits = status === refundStatus.code.waiting
    ctx.setMessage(waits ? '退款申请已提交，须由他人审批' : `符合自动退款规则，已同意退款 ¥${yuanText(body.amount)}`)
    if (waits)
      await approval.notifyDeciders(ctx, refund, {
        title: '订单退款待审批',
        body: `${actor.userName}申请退款${yuanText(body.amount)}元，订单${body.orderNo}`,
        route: '/order/refundOrder?status=1',
      })
    return { id: refund.id, status }
  },

  approve: async (ctx) => {
    const { db, actor, body } = ctx
    const refund = await deciding(ctx, body.id, async (found) => {
      const decider = { by: actor.userName, byId: actor.userId, trace: null }
      if (!(await approveOrderRefund(db, found, decider))) throw conflict(alreadySettled)
      await approval.publishChange(db, found)
      return found
    })
    ctx.setAuditDetail(`退款单${refund.id} 订单${refund.orderId} ${yuanText(refund.amountFen)}元`)
    const goesTo = refund.way === refundWay.code.origin ? '将原路退回' : '将退到用户钱包'
    ctx.setMessage(`已同意退款 ¥${yuanText(refund.amountFen)}，${goesTo}`)
    await approval.notifyApplicant(ctx, refund, '订单退款已通过')
    return null
  },

  decline: async (ctx) => {
    const { db, actor, body } = ctx
    const refund = await deciding(ctx, body.id, async (found) => {
      const by = { id: actor.userId, name: actor.userName }
      if (!(await declineOrderRefund(db, found, by, body.reason))) throw conflict(alreadySettled)
      await approval.publishChange(db, found)
      return found
    })
    ctx.setAuditDetail(`退款单${refund.id} ${body.reason}`)
    ctx.setMessage(`已驳回退款 ¥${yuanText(refund.amountFen)}，不退款`)
    await approval.notifyApplicant(ctx, refund, '订单退款被驳回', body.reason)
    return null
  },

  retry: mend('again'),
  toWallet: mend('wallet'),

  policy: async (ctx) => {
    const organiseId = organiseFor(ctx, ctx.query.organiseId)
    const policy = organiseId === undefined ? undefined : await readPolicy(ctx.db, organiseId, 'look')
    if (policy === undefined)
      return { enabled: false, max: null, day: null, spent: '0.00', updatedBy: null, updatedAt: null }
    const { enabled, updatedBy, updatedAt } = policy
    const [max, day, spent] = [policy.maxFen, policy.dayFen, policy.spentFen].map((fen) => yuanText(BigInt(fen)))
    return { enabled, max: max ?? null, day: day ?? null, spent: spent ?? '0.00', updatedBy, updatedAt }
  },

  savePolicy: async (ctx) => {
    refuseImpersonation(ctx)
    const { db, scope, actor, body } = ctx
    // The money belongs to the whole organisation.
    if (scope.level > 1) throw forbidden()
    const organiseId = organiseFor(ctx, body.organiseId)
    if (organiseId === undefined) throw invalid('请选择机构', 'organiseId')
    if (body.max > body.day) throw invalid('单笔上限不能超过当日预算', 'max')
    const by = { id: actor.userId, name: actor.userName }
    await writePolicy(db, { organiseId, enabled: body.enabled, maxFen: body.max, dayFen: body.day, by })
    ctx.setAuditDetail(
      `${body.enabled ? '启用' : '停用'}，单笔上限${yuanText(body.max)}元，当日预算${yuanText(body.day)}元`,
    )
    return null
  },

  exportList: exportHandler(refundOrderExport),
}

async function quote(db: Some['db'], { orderNo }: QueryOf<typeof refundOrder.quote>) {
  const order = await refunds.readBilled(db, orderNo, 'look')
  if (order === undefined) throw notFound()
  const payer = order.status === orderStatus.code.billed ? payerOf(order) : undefined
  const remaining = leftOf(order, await refunds.requestedParts(db, orderNo))
  const [paid, gift] = payer === undefined ? [0n, 0n] : [remaining.paidFen, remaining.giftFen]
  // Money that a card paid goes back to the card.
  const sources = payer?.paid === 'memberPaid' ? await sourcesOf(db, payer.owner) : []
  const reachable = sources.reduce((sum, { leftFen }) => sum + leftFen, 0n)
  return {
    orderNo,
    total: yuanText(order.totalFen),
    refunded: yuanText(order.refundedFen),
    refundable: yuanText(paid + gift),
    refundablePaid: yuanText(paid),
    refundableGift: yuanText(gift),
    byOrigin: yuanText(reachable < paid ? reachable : paid),
    doubts: suspicionsOf(order),
  }
}

export const refundOrderFeature = defineFeature(refundOrder, refundOrderHandlers, { exports: [refundOrderExport] })
