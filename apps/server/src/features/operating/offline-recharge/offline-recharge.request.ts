import { rechargeTarget } from '@wattdeck/contract/accounting/pay-codes.ts'
import { enabledStatus } from '@wattdeck/contract/common.ts'
import { offlineWay } from '@wattdeck/contract/operating/offline-recharge.ts'
import { storedCardStatus } from '@wattdeck/contract/operating/stored-card-codes.ts'
import { offlineProblem } from '@wattdeck/domain/manual-credit.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { cardCeilingProblem } from '@wattdeck/domain/stored-card.ts'
import { balanceOf } from '../../../core/payments/offline-recharge.ts'
import type { BatchCtx } from '../../../kit/bulk/batch-kind.ts'
import { withWholeOrganiseScope } from '../../../kit/db/whole-organise.ts'
import { swapPicture } from '../../../kit/files/stored-files.ts'
import { conflict, invalid, orNotFound } from '../../../kit/http/refusal.ts'
import { openShift } from '../_shared/desk-shift.store.ts'
import * as store from './offline-recharge.store.ts'

type PayeeParams = { memberId?: string | undefined; cardId?: string | undefined }
type Evidence = { way: number; bankRef?: string | undefined; pictureId?: string | undefined }
export type RechargeParams = PayeeParams & Evidence & { amount: bigint; remark?: string | undefined }

export const byOf = ({ actor }: BatchCtx) => ({ id: actor.userId, name: actor.userName })
export const isCard = ({ target }: { target: number }) => target === rechargeTarget.code.card
export const nameOf = ({ memberId, cardNo }: store.PayeeRow) =>
  cardNo === null ? `会员${memberId}` : `储值卡${cardNo}`
export const withGift = (amountFen: bigint, giftFen: bigint) =>
  `${yuanText(amountFen)}元${giftFen > 0n ? `，赠送${yuanText(giftFen)}元` : ''}`

/** The payee of a request, in the caller's scope and able to receive money. */
export async function requirePayee({ db }: BatchCtx, asked: PayeeParams): Promise<store.PayeeRow> {
  if ((asked.memberId === undefined) === (asked.cardId === undefined))
    throw invalid('请选择一名会员或一张储值卡', 'memberId')
  const payee = orNotFound(await store.findPayee(db, asked))
  const problem = payeeProblem(payee)
  if (problem !== undefined) throw conflict(problem)
  return payee
}

export function payeeProblem(payee: store.PayeeRow): string | undefined {
  if (!isCard(payee)) return payee.status === enabledStatus.code.enabled ? undefined : '会员已停用，不能充值'
  if (payee.inStock) return '库存卡没有发出，不能充值'
  return payee.status === storedCardStatus.code.normal
    ? undefined
    : `储值卡已${storedCardStatus.show(payee.status as 1 | 2).label}，不能充值`
}

/** Why a limit or a ceiling refuses this credit, with today's and waiting requests of the whole organisation. */
export const findProblem = (
  { db, scope, actor }: BatchCtx,
  payee: store.PayeeRow,
  fen: bigint,
): Promise<string | undefined> =>
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
async function assertUnused({ db, scope }: BatchCtx, organiseId: string, evidence: Evidence, sha: string | null) {
  const used = await withWholeOrganiseScope(db, scope, organiseId, () =>
    store.sameEvidence(db, organiseId, { bankRef: evidence.bankRef, pictureSha: sha }),
  )
  if (used === undefined) return
  const no = store.serialNo(used.id)
  throw used.sameRef
    ? invalid(`该银行流水号已用于${no}`, 'bankRef')
    : invalid(`该凭证图片已用于${no}，请上传本次付款的凭证`, 'pictureId')
}

/** The open shift of the caller. A person of the platform has no place in the organisation. */
function shiftOf({ db, scope, actor }: BatchCtx, organiseId: string): Promise<string> {
  const { agentId, siteId } = actor.organiseId === organiseId ? actor : { agentId: null, siteId: null }
  const clerk = { id: actor.userId, name: actor.userName, agentId, siteId }
  return withWholeOrganiseScope(db, scope, organiseId, () => openShift(db, organiseId, clerk))
}

/** Plans of the organisation apply to the payees of its agents and sites, whose clerks do not see them. */
export const giftOf = ({ db, scope }: BatchCtx, payee: store.PayeeRow, fen: bigint) =>
  withWholeOrganiseScope(db, scope, payee.organiseId, () => store.giftOf(db, payee, fen))

/** Requests a credit: within the limits, once for each voucher, and as cash in the open shift of its clerk. */
export async function requestRecharge(ctx: BatchCtx, params: RechargeParams) {
  const { db, actor } = ctx
  assertEvidence(params)
  const payee = await requirePayee(ctx, params)
  const { organiseId, agentId, siteId } = payee
  // Each of several concurrent requests sees the ones before it.
  await store.lockRequests(db, organiseId)
  const gift = await giftOf(ctx, payee, params.amount)
  const problem = await findProblem(ctx, payee, params.amount + gift.fen)
  if (problem !== undefined) throw invalid(problem, 'amount')
  const place = { organise_id: organiseId, agent_id: agentId, site_id: siteId }
  await swapPicture(db, actor, { from: null, to: params.pictureId ?? null, place })
  const pictureSha = params.pictureId === undefined ? null : await store.readPictureSha(db, params.pictureId)
  await assertUnused(ctx, organiseId, params, pictureSha)
  const shiftId = params.way === offlineWay.code.cash ? await shiftOf(ctx, organiseId) : null
  const id = await store.addRequest(db, {
    payee,
    amountFen: params.amount,
    gift,
    way: params.way,
    bankRef: params.bankRef,
    pictureId: params.pictureId,
    pictureSha,
    remark: params.remark,
    shiftId,
    by: byOf(ctx),
  })
  const what = `${nameOf(payee)} ${offlineWay.show(params.way as 1 | 2).label}${withGift(params.amount, gift.fen)}`
  return { id, payee, what }
}
