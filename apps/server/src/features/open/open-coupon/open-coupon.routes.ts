import { enabledStatus } from '@wattdeck/contract/common.ts'
import { openCoupon } from '@wattdeck/contract/open/open-coupon.ts'
import { grantSource, grantStatus } from '@wattdeck/contract/operating/coupon-codes.ts'
import { couponText } from '@wattdeck/contract/operating/coupon.ts'
import { assertOpen, grantCoupon, lockCoupon } from '../../../core/charging/coupon-grants.store.ts'
import { couponBenefits } from '../../../core/charging/coupon.store.ts'
import { findStartable } from '../../../core/charging/order.store.ts'
import { isBlocked } from '../../../core/charging/member-block.store.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { conflict, notFound, orNotFound } from '../../../kit/http/refusal.ts'
import { findPort } from '../_shared/port.store.ts'
import { assertAppOpen } from '../_shared/closed-app.store.ts'
import * as store from './open-coupon.store.ts'

type Some = Pick<Ctx<never>, 'db'>
type Named = { deviceNo?: string | undefined; portNo?: number | undefined }

/** Ids of the coupons that apply at a port; undefined if no port is named. */
async function applying({ db }: Some, memberId: string, { deviceNo, portNo = 1 }: Named) {
  if (deviceNo === undefined) return undefined
  const { deviceId } = orNotFound(await findPort(db, { deviceNo, portNo }))
  const place = orNotFound(await findStartable(db, deviceId, portNo))
  const benefits = await couponBenefits(db, place, memberId, { how: 'look', choice: undefined })
  return new Set(benefits.map(({ ref }) => ref))
}

const openCouponHandlers: Handlers<typeof openCoupon> = {
  list: async (ctx) => {
    const { id } = orNotFound(await store.findMember(ctx.db, ctx.query.memberId))
    const here = await applying(ctx, id, ctx.query)
    return (await store.heldCoupons(ctx.db, id)).map((held) => {
      const why =
        held.status === grantStatus.code.held
          ? '正用于进行中的充电'
          : here?.has(`coupon/${held.id}`) === false
            ? '不适用于该站点'
            : null
      const { id: couponId, name, validUntil } = held
      return { couponId, name, worth: couponText(held), validUntil, applies: why === null, why }
    })
  },

  claimable: async ({ db, query }) => {
    const member = orNotFound(await store.findMember(db, query.memberId))
    return (await store.claimable(db, member)).map((one) => {
      const { id, name, remark, endsOn, left } = one
      return { id, name, worth: couponText(one), remark, endsOn, left }
    })
  },

  claim: async ({ db, body, setAuditDetail }) => {
    const member = orNotFound(await store.findMember(db, body.memberId))
    if (member.status !== enabledStatus.code.enabled) throw conflict('该用户已停用，不能领取')
    if (await isBlocked(db, { organiseId: member.organiseId, memberId: member.id, cardId: null }, 'recharge'))
      throw conflict('该用户已被列入黑名单，不能领取')
    await assertAppOpen(db, member.id)
    // A phone belongs to one member of an organisation. Without it one person could claim with many identities.
    if (member.phone === null) throw conflict('请先绑定手机号')
    const coupon = await lockCoupon(db, body.id)
    const isForOthers =
      (coupon.agentId !== null && coupon.agentId !== member.agentId) ||
      (coupon.siteId !== null && coupon.siteId !== member.siteId)
    if (coupon.organiseId !== member.organiseId || !coupon.claimable || isForOthers) throw notFound()
    assertOpen(coupon)
    const by = { source: grantSource.code.claim, id: null, name: null }
    const couponId = await grantCoupon(db, coupon, member.id, by)
    if (couponId === undefined) throw conflict('您已领取过该优惠券')
    setAuditDetail(`${coupon.name}，用户${member.id}`)
    return { couponId }
  },
}

export const openCouponFeature = defineFeature(openCoupon, openCouponHandlers)
