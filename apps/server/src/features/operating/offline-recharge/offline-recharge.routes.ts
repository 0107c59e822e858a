import { rechargeTarget } from '@wattdeck/contract/accounting/pay-codes.ts'
import { enabledStatus } from '@wattdeck/contract/common.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import {
  offlineRecharge,
  offlineRechargeList,
  offlineStatus,
  offlineWay,
} from '@wattdeck/contract/operating/offline-recharge.ts'
import { storedCardStatus } from '@wattdeck/contract/operating/stored-card-codes.ts'
import { offlineProblem } from '@wattdeck/domain/manual-credit.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { cardCeilingProblem } from '@wattdeck/domain/stored-card.ts'
import { balanceOf, creditOfflineRecharge } from '../../../core/payments/offline-recharge.ts'
import { refuseImpersonation } from '../../../kit/auth/actor.ts'
import { exportHandler, exportOf } from '../../../kit/bulk/list-export.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import { withWholeOrganiseScope } from '../../../kit/db/whole-organise.ts'
import { swapPicture } from '../../../kit/files/stored-files.ts'
import { defineApproval } from '../../../kit/http/approval.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { conflict, invalid, orNotFound } from '../../../kit/http/refusal.ts'
import * as store from './offline-recharge.store.ts'

type Some = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>
type Found = NonNullable<Awaited<ReturnType<typeof store.findRequest>>>
type PayeeParams = { memberId?: string | undefined; cardId?: string | undefined }
type Evidence = { way: number; bankRef?: string | undefined; pictureId?: string | undefined }
const settled = '该充值申请已处理，请刷新后重试'
const pathOf = (id: string) => `/operating/offlineRecharge?keyword=${store.serialNo(id)}`

const approval = defineApproval<Found>({
  menu: menuKey.offlineRecharge,
  lists: ['offlineRecharge'],
  find: store.findRequest,
  doers: ({ createdById }) => [{ by: createdById, refusal: '不能审核自己提交的充值' }],
  label: ({ id }) => store.serialNo(id),
  path: ({ id }) => pathOf(id),
})

const byOf = ({ actor }: Some) => ({ id: actor.userId, name: actor.userName })
const isCard = ({ target }: { target: number }) => target === rechargeTarget.code.card
const nameOf = ({ memberId, cardNo }: store.PayeeRow) => (cardNo === null ? `会员${memberId}` : `储值卡${cardNo}`)
const withGift = (amountFen: bigint, giftFen: bigint) =>
  `${yuanText(amountFen)}元${giftFen > 0n ? `，赠送${yuanText(giftFen)}元` : ''}`

/** The payee of a request, in the caller's scope and able to receive money. */
async function requirePayee({ db }: Some, asked: PayeeParams): Promise<store.PayeeRow> {
  if ((asked.memberId === undefined) === (asked.cardId === undefined))
    throw invalid('请选择一名会员或一张储值卡', 'memberId')
  const payee = orNotFound(await store.findPayee(db, asked))
  const problem = payeeProblem(payee)
  if (problem !== undefined) throw conflict(problem)
  return payee
}

function payeeProblem(payee: store.PayeeRow): string | undefined {
  if (!isCard(payee)) return payee.status === enabledStatus.code.enabled ? undefined : '会员已停用，不能充值'
  if (payee.inStock) return '库存卡没有发出，不能充值'
  return payee.status === storedCardStatus.code.normal
    ? undefined
    : `储值卡已${storedCardStatus.show(payee.status as 1 | 2).label}，不能充值`
}

/** Why a limit or a ceiling refuses this credit, with today's and waiting requests of the whole organisation. */
const findProblem = ({ db, scope, actor }: Some, payee: store.PayeeRow, fen: bigint): Promise<string | undefined> =>
  withWholeOrganiseScope(db, scope, payee.organiseId, async () => {
    const problem = offlineProblem(fen, await store.creditedToday(db, payee.organiseId, actor.userId))
    if (problem !== undefined || payee.cardId === null) return problem
    const { totalFen } = await balanceOf(db, payee.organiseId, payee)
    const waiting = await store.waitingOfCard(db, payee.cardId)
    return cardCeilingProblem(totalFen + waiting + fen, payee.memberId !== null)
  })

function assertEvidence({ way, bankRef, pictureId }: Evidence): void {
  if (way === offlineWay.code.cash) {
    if (bankRef !== undefined) throw invalid('现金收款没有银行流水号', 'bankRef')
    return
  }
  if (bankRef === undefined) throw invalid('请填写付款方的银行流水号', 'bankRef')
  if (pictureId === undefined) throw invalid('请上传转账凭证', 'pictureId')
}

/** One voucher and one bank reference prove one payment in an organisation. */
async function assertUnused({ db, scope }: Some, organiseId: string, evidence: Evidence, sha: string | null) {
  const used = await withWholeOrganiseScope(db, scope, organiseId, () =>
    store.sameEvidence(db, organiseId, { bankRef: evidence.bankRef, pictureSha: sha }),
  )
  if (used === undefined) return
  const no = store.serialNo(used.id)
  throw used.sameRef
    ? invalid(`该银行流水号已用于${no}`, 'bankRef')
    : invalid(`该凭证图片已用于${no}，请上传本次付款的凭证`, 'pictureId')
}

/** Plans of the organisation apply to the payees of its agents and sites, whose clerks do not see them. */
const giftOf = ({ db, scope }: Some, payee: store.PayeeRow, fen: bigint) =>
  withWholeOrganiseScope(db, scope, payee.organiseId, () => store.giftOf(db, payee, fen))

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
    const { db, actor, body } = ctx
    refuseImpersonation(ctx)
    assertEvidence(body)
    const payee = await requirePayee(ctx, body)
    const { organiseId, agentId, siteId } = payee
    // Each of several concurrent requests sees the ones before it.
    await store.lockRequests(db, organiseId)
    const gift = await giftOf(ctx, payee, body.amount)
    const problem = await findProblem(ctx, payee, body.amount + gift.fen)
    if (problem !== undefined) throw invalid(problem, 'amount')
    const place = { organise_id: organiseId, agent_id: agentId, site_id: siteId }
    await swapPicture(db, actor, { from: null, to: body.pictureId ?? null, place })
    const pictureSha = body.pictureId === undefined ? null : await store.readPictureSha(db, body.pictureId)
    await assertUnused(ctx, organiseId, body, pictureSha)
    const id = await store.addRequest(db, {
      payee,
      amountFen: body.amount,
      gift,
      way: body.way,
      bankRef: body.bankRef,
      pictureId: body.pictureId,
      pictureSha,
      remark: body.remark,
      by: byOf(ctx),
    })
    const what = `${nameOf(payee)} ${offlineWay.show(body.way).label}${withGift(body.amount, gift.fen)}`
    ctx.setAuditDetail(`${store.serialNo(id)} ${what}`)
    ctx.setMessage('充值申请已提交，须由他人审核后到账')
    await approval.notifyDeciders(ctx, await approval.read(ctx, id), {
      title: '线下充值待审核',
      body: `${store.serialNo(id)}，${actor.userName}申请为${what}`,
      route: '/operating/offlineRecharge?status=1',
    })
    await approval.publishChange(db, payee)
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
    if (!(await store.decide(db, found.id, decision))) throw conflict(settled)
    ctx.setAuditDetail(`${store.serialNo(found.id)} ${body.reason}`)
    ctx.setMessage(`已驳回线下充值 ¥${yuanText(BigInt(found.amount_fen))}，未入账，请将款项退还付款人`)
    await approval.notifyApplicant(ctx, found, '线下充值被驳回', body.reason)
    await approval.publishChange(db, found)
    return null
  },

  withdraw: async (ctx) => {
    const found = await approval.readOwn(ctx, ctx.body.id, '只能撤销自己提交的充值')
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
