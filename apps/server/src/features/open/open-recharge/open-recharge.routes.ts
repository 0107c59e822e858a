import { payPurpose, payWay, rechargeStatus } from '@wattdeck/contract/accounting/pay-codes.ts'
import { openRecharge } from '@wattdeck/contract/open/open-recharge.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { customProblem } from '@wattdeck/domain/recharge-plan.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { conflict, invalid, notFound, orNotFound } from '../../../kit/http/refusal.ts'
import { isBlocked } from '../../../core/charging/member-block.store.ts'
import { createPayment } from '../../../core/payments/ask-payment.ts'
import { expireNow } from '../../../core/payments/pay-order.store.ts'
import { assertAppOpen } from '../_shared/closed-app.store.ts'
import { markUsed, type Offer, readOffer } from '../../../core/payments/recharge-plan.store.ts'
import * as store from './open-recharge.store.ts'

const yuan = (fen: string) => yuanText(BigInt(fen))

const openRechargeHandlers: Handlers<typeof openRecharge> = {
  tiers: async ({ db, actor, query }) => {
    const place =
      query.memberId === undefined
        ? { organiseId: actor.organiseId, agentId: null, siteId: null }
        : orNotFound(await store.findMember(db, query.memberId))
    const offer = await readOffer(db, place)
    return {
      rows: (offer?.tiers ?? []).map(({ id, payFen, giftFen }) => ({
        tierId: id,
        pay: yuanText(payFen),
        gift: yuanText(giftFen),
      })),
      min: offer === undefined ? null : yuanText(offer.minFen),
      allowsCustom: offer?.allowsCustom ?? true,
      giftValidDays: offer?.giftValidDays ?? null,
    }
  },

  add: async ({ db, body }) => {
    const member = orNotFound(await store.findMember(db, body.memberId))
    if (member.status !== 1) throw conflict('该用户已停用，不能充值')
    const person = { organiseId: member.organiseId, memberId: member.id, cardId: null }
    if (member.hasBlocks && (await isBlocked(db, person, 'recharge'))) throw conflict('该用户已被列入黑名单，不能充值')
    await assertAppOpen(db, member.id, body.openId)
    if (body.way === payWay.code.app && body.openId === undefined) throw invalid('请提供支付人的OpenID', 'openId')
    const { organiseId, agentId, siteId } = member
    const place = { organiseId, agentId, siteId }
    const offer = await readOffer(db, place)
    const { fen, giftFen } = amountsOf(body, offer)
    if (offer !== undefined && !(await markUsed(db, offer.planId))) throw conflict('充值方案已变更，请刷新后重试')
    const { provider, way } = body
    const rechargeNo = await store.addRecharge(db, {
      place,
      memberId: member.id,
      provider,
      fen,
      giftFen,
      planId: offer?.planId ?? null,
      giftValidDays: giftFen === 0n ? null : (offer?.giftValidDays ?? null),
    })
    const payOrderId = await createPayment(db, {
      place,
      provider,
      way,
      purpose: payPurpose.code.recharge,
      refId: rechargeNo,
      memberId: member.id,
      openId: body.openId ?? null,
      fen,
    })
    await store.linkPayment(db, rechargeNo, payOrderId)
    return { rechargeNo }
  },

  read: async (ctx) => {
    const { handle, amountFen, giftFen, payOrderId: _, ...rest } = await requireRecharge(ctx, ctx.query.rechargeNo)
    // A paid or cancelled recharge does not show its payment code, so it cannot be paid again.
    const open = rest.status === rechargeStatus.code.waiting ? handle : null
    return {
      ...rest,
      amount: yuan(amountFen),
      gift: yuan(giftFen),
      codeUrl: open?.codeUrl ?? null,
      handOver: open?.handOver ?? null,
    }
  },

  /**
   * Expires the payment now. Only the provider knows whether it was paid at this moment, so a worker queries the
   * provider and then closes the payment.
   */
  cancel: async (ctx) => {
    const { status, payOrderId, rechargeNo } = await requireRecharge(ctx, ctx.body.rechargeNo)
    if (status === rechargeStatus.code.paid) throw conflict('已支付，不能取消')
    if (status === rechargeStatus.code.waiting) await expireNow(ctx.db, payOrderId)
    return { rechargeNo }
  },
}

const requireRecharge = async ({ db }: Pick<Ctx<never>, 'db' | 'scope'>, id: string) =>
  orNotFound(await store.readRecharge(db, id))

type Params = { amount?: bigint | undefined; tierId?: string | undefined }

/**
 * The caller chooses a tier, or the amount to pay. The gift comes from the tier of that amount, never from the caller.
 * Without a plan any amount is accepted, and there is no gift.
 */
function amountsOf({ amount, tierId }: Params, offer: Offer | undefined): { fen: bigint; giftFen: bigint } {
  if ((amount === undefined) === (tierId === undefined)) throw invalid('请填写充值金额，或选择一个充值档位')
  const tier = offer?.tiers.find(({ id, payFen }) => (tierId === undefined ? payFen === amount : id === tierId))
  if (tier !== undefined) return { fen: tier.payFen, giftFen: tier.giftFen }
  if (amount === undefined) throw notFound()
  const problem = offer === undefined ? undefined : customProblem(offer, amount)
  if (problem !== undefined) throw invalid(problem, 'amount')
  return { fen: amount, giftFen: 0n }
}

export const openRechargeFeature = defineFeature(openRecharge, openRechargeHandlers)
