import { payPurpose, payWay } from '@wattdeck/contract/accounting/pay-codes.ts'
import { enabledStatus } from '@wattdeck/contract/common.ts'
import { openPass } from '@wattdeck/contract/open/open-pass.ts'
import { cardBuyStatus } from '@wattdeck/contract/order/member-card-codes.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { passMost } from '@wattdeck/domain/monthly-pass.ts'
import { isBlocked } from '../../../core/charging/member-block.store.ts'
import { createPayment } from '../../../core/payments/ask-payment.ts'
import { lockPurchases } from '../../../core/payments/pass-sale.ts'
import { expireNow } from '../../../core/payments/pay-order.store.ts'
import { publishToOrganisation } from '../../../kit/events/outbox.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { conflict, invalid, orNotFound } from '../../../kit/http/refusal.ts'
import { assertAppOpen } from '../_shared/closed-app.store.ts'
import * as store from './open-pass.store.ts'

const yuan = (fen: string) => yuanText(BigInt(fen))

const openPassHandlers: Handlers<typeof openPass> = {
  plans: async ({ db, query }) => {
    const { organiseId } = orNotFound(await store.findMember(db, query.memberId))
    const plans = await store.plansOnSale(db, organiseId, query.siteId)
    return { rows: plans.map(({ priceFen, ...plan }) => ({ ...plan, price: yuan(priceFen) })) }
  },

  add: async ({ db, body }) => {
    const member = orNotFound(await store.findMember(db, body.memberId))
    if (member.status !== enabledStatus.code.enabled) throw conflict('该用户已停用，不能购卡')
    const person = { organiseId: member.organiseId, memberId: member.id, cardId: null }
    if (member.hasBlocks && (await isBlocked(db, person, 'recharge'))) throw conflict('该用户已被列入黑名单，不能购卡')
    await assertAppOpen(db, member.id, body.openId)
    if (body.way === payWay.code.app && body.openId === undefined) throw invalid('请提供支付人的OpenID', 'openId')
    const { organiseId, agentId, siteId } = member
    // Each of several concurrent purchases sees the ones before it.
    await lockPurchases(db, member.id)
    const offer = orNotFound(await store.readOffer(db, organiseId, body.planId))
    if (offer.status !== enabledStatus.code.enabled) throw conflict('该包月方案已停售')
    if ((await store.countAhead(db, member.id, body.planId)) >= passMost.ahead)
      throw conflict(`同一方案最多持有${passMost.ahead}张未到期或待支付的包月，不能再购买`)
    const place = { organiseId, agentId, siteId }
    const fen = BigInt(offer.priceFen)
    const { provider, way } = body
    const passOrderNo = await store.addOrder(db, {
      place,
      memberId: member.id,
      planId: body.planId,
      versionId: offer.versionId,
      provider,
      fen,
    })
    const payOrderId = await createPayment(db, {
      place,
      provider,
      way,
      purpose: payPurpose.code.card,
      refId: passOrderNo,
      memberId: member.id,
      openId: body.openId ?? null,
      fen,
    })
    await store.linkPayment(db, passOrderNo, payOrderId)
    await publishToOrganisation(
      db,
      { organise_id: organiseId, agent_id: agentId, site_id: siteId },
      { kind: 'changed', list: 'memberCardBuy' },
    )
    return { passOrderNo }
  },

  read: async ({ db, query }) => {
    const { handle, priceFen, payOrderId: _, ...rest } = orNotFound(await store.readOrder(db, query.passOrderNo))
    // A paid or cancelled order does not show its payment code, so it cannot be paid again.
    const open = rest.status === cardBuyStatus.code.waiting ? handle : null
    return { ...rest, price: yuan(priceFen), codeUrl: open?.codeUrl ?? null, handOver: open?.handOver ?? null }
  },

  /** Expires the payment now; a worker asks the provider whether it was paid at this moment, and then closes it. */
  cancel: async ({ db, body }) => {
    const { status, payOrderId, passOrderNo } = orNotFound(await store.readOrder(db, body.passOrderNo))
    if (status === cardBuyStatus.code.paid) throw conflict('已支付，不能取消')
    if (status === cardBuyStatus.code.waiting) await expireNow(db, payOrderId)
    return { passOrderNo }
  },

  passes: async ({ db, query }) => {
    const { id } = orNotFound(await store.findMember(db, query.memberId))
    return { rows: await store.passesOf(db, id) }
  },
}

export const openPassFeature = defineFeature(openPass, openPassHandlers)
