import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { offlineRecharge, offlineRechargeList, offlineStatus } from '@wattdeck/contract/operating/offline-recharge.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { cardCeilingProblem } from '@wattdeck/domain/stored-card.ts'
import { balanceOf, creditOfflineRecharge } from '../../../core/payments/offline-recharge.ts'
import { refuseImpersonation } from '../../../kit/auth/actor.ts'
import { exportHandler, exportOf } from '../../../kit/bulk/list-export.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import { withWholeOrganiseScope } from '../../../kit/db/whole-organise.ts'
import { defineApproval } from '../../../kit/http/approval.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { conflict } from '../../../kit/http/refusal.ts'
import { isOpenShift, shiftNo } from '../_shared/desk-shift.store.ts'
import {
  byOf,
  findProblem,
  giftOf,
  isCard,
  nameOf,
  payeeProblem,
  requestRecharge,
  requirePayee,
  withGift,
} from './offline-recharge.request.ts'
import * as store from './offline-recharge.store.ts'

type Some = Pick<Ctx<never>, 'db' | 'scope'>
type Found = NonNullable<Awaited<ReturnType<typeof store.findRequest>>>
const settled = '该充值申请已处理，请刷新后重试'
const pathOf = (id: string) => `/operating/offlineRecharge?keyword=${store.serialNo(id)}`

const approval = defineApproval<Found>({
  menu: menuKey.offlineRecharge,
  lists: ['offlineRecharge', 'deskShift'],
  find: store.findRequest,
  doers: ({ createdById }) => [{ by: createdById, refusal: '不能审核自己提交的充值' }],
  label: ({ id }) => store.serialNo(id),
  path: ({ id }) => pathOf(id),
})

/** The number of the shift that has handed over the cash of a recharge; undefined while its clerk has it. */
async function closedShiftOf({ db, scope }: Some, { organiseId, shiftId }: Found): Promise<string | undefined> {
  if (shiftId === null) return undefined
  const isOpen = await withWholeOrganiseScope(db, scope, organiseId, () => isOpenShift(db, shiftId))
  return isOpen ? undefined : shiftNo(shiftId)
}

const offlineExport = exportOf('offlineRecharge', offlineRechargeList, store.offlineSource())

const offlineRechargeHandlers: Handlers<typeof offlineRecharge> = {
  list: ({ db, scope, actor, query }) =>
    listQuery(db, scope, offlineRechargeList, store.offlineSource(actor.userId), query),

  payees: async ({ db, query }) => ({ rows: await store.findPayees(db, query.target, query.keyword) }),

  quote: async (ctx) => {
    const { db, query } = ctx
    const payee = await requirePayee(ctx, query)
    const gift = await giftOf(ctx, payee, query.amount)
    const { spendableFen } = await balanceOf(db, payee.organiseId, payee)
    const credited = query.amount + gift.fen
    return {
      gift: yuanText(gift.fen),
      credited: yuanText(credited),
      before: yuanText(spendableFen),
      after: yuanText(spendableFen + credited),
      problem: (await findProblem(ctx, payee, credited)) ?? null,
    }
  },

  add: async (ctx) => {
    refuseImpersonation(ctx)
    const { id, payee, what } = await requestRecharge(ctx, ctx.body)
    ctx.setAuditDetail(`${store.serialNo(id)} ${what}`)
    ctx.setMessage('充值申请已提交，须由他人审核后到账')
    await approval.notifyDeciders(ctx, await approval.read(ctx, id), {
      title: '线下充值待审核',
      body: `${store.serialNo(id)}，${ctx.actor.userName}申请为${what}`,
      route: '/operating/offlineRecharge?status=1',
    })
    await approval.publishChange(ctx.db, payee)
    return { id }
  },

  approve: async (ctx) => {
    const { db, body } = ctx
    const found = await approval.readForeign(ctx, body.id)
    if (found.status !== offlineStatus.code.waiting) throw conflict(settled)
    const asked = found.cardId === null ? { memberId: found.memberId ?? '' } : { cardId: found.cardId }
    const payee = await store.findPayee(db, asked, 'lock')
    if (payee === undefined) throw conflict('会员或储值卡已转到其他归属，请由机构人员审核')
    // A disabled member keeps the right to money that was paid; a lost or cancelled card must not receive any.
    const problem = isCard(payee) ? payeeProblem(payee) : undefined
    if (problem !== undefined) throw conflict(problem)
    const [amountFen, giftFen] = [BigInt(found.amount_fen), BigInt(found.gift_fen)]
    const { rechargeId, totalFen } = await creditOfflineRecharge(db, {
      ...found,
      target: payee.target,
      serialNo: store.serialNo(found.id),
      amountFen,
      giftFen,
      by: ctx.actor.userName,
    })
    // The card may have received other money since the request.
    const ceiling = isCard(payee) ? cardCeilingProblem(totalFen, payee.memberId !== null) : undefined
    if (ceiling !== undefined) throw conflict(ceiling)
    if (!(await store.decide(db, found.id, { as: 'approve', by: byOf(ctx), reason: null, rechargeId })))
      throw conflict(settled)
    ctx.setAuditDetail(`${store.serialNo(found.id)} ${nameOf(payee)} ${withGift(amountFen, giftFen)}`)
    ctx.setMessage(`已通过线下充值：${withGift(amountFen, giftFen)}，已入账`)
    await approval.notifyApplicant(ctx, found, '线下充值已通过')
    await approval.publishChange(db, found)
    return null
  },

  turnDown: async (ctx) => {
    const { db, body } = ctx
    const found = await approval.readForeign(ctx, body.id)
    const decision = { as: 'turnDown', by: byOf(ctx), reason: body.reason, rechargeId: null } as const
    const handedOver = found.status === offlineStatus.code.waiting ? await closedShiftOf(ctx, found) : undefined
    if (!(await store.decide(db, found.id, decision))) throw conflict(settled)
    const from = handedOver === undefined ? '' : `现金已随交班单${handedOver}上交，`
    ctx.setAuditDetail(`${store.serialNo(found.id)} ${from}${body.reason}`)
    ctx.setMessage(`已驳回线下充值 ¥${yuanText(BigInt(found.amount_fen))}，未入账，${from}请将款项退还付款人`)
    await approval.notifyApplicant(ctx, found, '线下充值被驳回', `${from}${body.reason}`)
    await approval.publishChange(db, found)
    return null
  },

  withdraw: async (ctx) => {
    const found = await approval.readOwn(ctx, ctx.body.id, '只能撤销自己提交的充值')
    const handedOver = found.status === offlineStatus.code.waiting ? await closedShiftOf(ctx, found) : undefined
    if (handedOver !== undefined)
      throw conflict(`这笔现金已随交班单${handedOver}上交，不能撤销；需要退还时请由审核人驳回`)
    if (!(await store.withdraw(ctx.db, found.id))) throw conflict(settled)
    ctx.setAuditDetail(store.serialNo(found.id))
    ctx.setMessage(`已撤销线下充值 ¥${yuanText(BigInt(found.amount_fen))}，请将款项退还付款人`)
    await approval.publishChange(ctx.db, found)
    return null
  },

  exportList: exportHandler(offlineExport),
}

export const offlineRechargeFeature = defineFeature(offlineRecharge, offlineRechargeHandlers, {
  exports: [offlineExport],
})
