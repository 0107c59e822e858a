import { payPurpose, payWay, rechargeStatus } from '@wattdeck/contract/accounting/pay-codes.ts'
import { openRecharge } from '@wattdeck/contract/open/open-recharge.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { conflict, invalid, notFound, orNotFound } from '../../../kit/http/refusal.ts'
import { askPayment } from '../../../core/payments/ask-payment.ts'
import { expireNow } from '../../../core/payments/pay-order.store.ts'
import * as store from './open-recharge.store.ts'

const yuan = (fen: string) => yuanText(BigInt(fen))

const openRechargeHandlers: Handlers<typeof openRecharge> = {
  tiers: async ({ db, actor }) => {
    const tiers = await store.listTiers(db, actor.organiseId)
    return { rows: tiers.map(({ id, payFen, giftFen }) => ({ tierId: id, pay: yuan(payFen), gift: yuan(giftFen) })) }
  },

  add: async ({ db, actor, body }) => {
    const member = orNotFound(await store.findMember(db, body.memberId))
    if (member.status !== 1) throw conflict('该用户已停用，不能充值')
    if (body.way === payWay.code.app && body.openId === undefined) throw invalid('请提供支付人的OpenID', 'openId')
    const { fen, giftFen } = wishOf(body, await store.listTiers(db, actor.organiseId))
    const { organiseId, agentId, siteId } = member
    const place = { organiseId, agentId, siteId }
    const { provider, way } = body
    const rechargeNo = await store.addRecharge(db, { place, memberId: member.id, provider, fen, giftFen })
    const payOrderId = await askPayment(db, {
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
    const { handle, amountFen, giftFen, payOrderId: _, ...rest } = await known(ctx, ctx.query.rechargeNo)
    // What was paid or called off is not paid again: nobody needs its code any more.
    const open = rest.status === rechargeStatus.code.waiting ? handle : null
    return {
      ...rest,
      amount: yuan(amountFen),
      gift: yuan(giftFen),
      codeUrl: open?.codeUrl ?? null,
      handOver: open?.handOver ?? null,
    }
  },

  /** Its time is over from now on. Whether somebody paid in this moment only the provider knows: a worker asks, then closes. */
  cancel: async (ctx) => {
    const { status, payOrderId, rechargeNo } = await known(ctx, ctx.body.rechargeNo)
    if (status === rechargeStatus.code.paid) throw conflict('已支付，不能取消')
    if (status === rechargeStatus.code.waiting) await expireNow(ctx.db, payOrderId)
    return { rechargeNo }
  },
}

const known = async ({ db }: Pick<Ctx<never>, 'db' | 'scope'>, id: string) =>
  orNotFound(await store.readRecharge(db, id))

type Params = { amount?: bigint | undefined; tierId?: string | undefined }

/** What is paid is the member's wish. What is given on top is said by the tier of that amount and never by the caller. */
function wishOf({ amount, tierId }: Params, tiers: readonly store.Tier[]): { fen: bigint; giftFen: bigint } {
  if ((amount === undefined) === (tierId === undefined)) throw invalid('请填写充值金额，或选择一个充值档位')
  const tier = tiers.find(({ id, payFen }) => (tierId === undefined ? BigInt(payFen) === amount : id === tierId))
  if (tierId !== undefined && tier === undefined) throw notFound()
  return { fen: amount ?? BigInt(tier?.payFen ?? 0), giftFen: BigInt(tier?.giftFen ?? 0) }
}

export const openRechargeFeature = defineFeature(openRecharge, openRechargeHandlers)
