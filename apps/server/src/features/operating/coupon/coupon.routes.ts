import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { couponKind, couponStatus } from '@wattdeck/contract/operating/coupon-codes.ts'
import { coupon, couponList } from '@wattdeck/contract/operating/coupon.ts'
import { refuseImpersonation } from '../../../kit/auth/actor.ts'
import { exportHandler, exportOf } from '../../../kit/bulk/list-export.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import { rowExists } from '../../../kit/db/rows.ts'
import { defineApproval } from '../../../kit/http/approval.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { conflict, invalid, notFound } from '../../../kit/http/refusal.ts'
import { assertFunder } from '../../_shared/discount-funder.ts'
import { chosenPlace } from '../../_shared/place.store.ts'
import * as store from './coupon.store.ts'

type Body = BodyOf<typeof coupon.add>
type Found = NonNullable<Awaited<ReturnType<typeof store.findCoupon>>>
const settled = '该申请已处理，请刷新后重试'

const approval = defineApproval<Found>({
  menu: menuKey.coupon,
  lists: ['coupon'],
  find: store.findCoupon,
  doers: ({ createdById }) => [{ by: createdById, refusal: '不能审核自己提交的申请' }],
  label: ({ name }) => `优惠券 ${name}`,
  path: () => `/operating/coupon?status=${couponStatus.code.waiting}`,
})

/** Exactly the values that the kind needs, and no other. */
function valuesOf(body: Body) {
  const { reduction, discount, minutes, energy, free } = couponKind.code
  const needed = {
    off: [reduction],
    payPercent: [discount],
    max: [discount, free],
    freeMinutes: [minutes],
    freeKwh: [energy],
  }
  for (const [name, kinds] of Object.entries(needed) as [keyof typeof needed, number[]][]) {
    if (kinds.includes(body.kind) && body[name] === undefined) throw invalid('请填写面值', name)
    if (!kinds.includes(body.kind) && body[name] !== undefined) throw invalid('该类型没有这一项', name)
  }
  if (body.kind !== reduction && body.from !== undefined) throw invalid('该类型没有这一项', 'from')
  for (const name of ['off', 'max'] as const)
    if ((body[name] ?? 0n) > 100_000n) throw invalid('金额不能超过 1000 元', name)
  if ((body.from ?? 0n) > 1_000_000n) throw invalid('金额不能超过 10000 元', 'from')
  if (body.off !== undefined && body.from !== undefined && body.from < body.off)
    throw invalid('门槛不能低于减免金额', 'from')
  return {
    off_fen: body.off === undefined ? null : Number(body.off),
    from_fen: body.kind === reduction ? Number(body.from ?? 0n) : null,
    off_bp: body.payPercent === undefined ? null : 10_000 - body.payPercent * 100,
    max_fen: body.max === undefined ? null : Number(body.max),
    free_minutes: body.freeMinutes ?? null,
    free_dwh: body.freeKwh === undefined ? null : body.freeKwh * 10_000,
  }
}

const couponExport = exportOf('coupon', couponList, store.couponSource())

const couponHandlers: Handlers<typeof coupon> = {
  list: ({ db, scope, actor, query }) => listQuery(db, scope, couponList, store.couponSource(actor.userId), query),

  add: async (ctx) => {
    refuseImpersonation(ctx)
    const { db, actor, body } = ctx
    const place = await chosenPlace(db, actor, body)
    const values = valuesOf(body)
    assertFunder(ctx, body.funder, place)
    if (body.endsOn < body.startsOn) throw invalid('结束日期不能早于开始日期', 'endsOn')
    if (body.perMember > body.total) throw invalid('每人限领不能超过总量', 'perMember')
    const id = await store.addCoupon(db, place, {
      ...values,
      name: body.name,
      kind: body.kind,
      scope: body.scope,
      funder: body.funder,
      total: body.total,
      per_member: body.perMember,
      claimable: body.claimable,
      stacks: body.stacks,
      starts_on: body.startsOn,
      ends_on: body.endsOn,
      valid_days: body.validDays ?? null,
      remark: body.remark ?? null,
      created_by_id: actor.userId,
      created_by: actor.userName,
    })
    ctx.setAuditDetail(`${body.name}，${body.total}张`)
    ctx.setMessage('申请已提交，须由他人审核后发放')
    const added = await approval.read(ctx, id)
    await approval.notifyDeciders(ctx, added, { title: '优惠券待审核' })
    await approval.publishChange(db, added)
    return { id }
  },

  approve: async (ctx) => {
    const { db, actor, body } = ctx
    const found = await approval.readForeign(ctx, body.id)
    const decision = { as: 'approve', byId: actor.userId, by: actor.userName, reason: null } as const
    if (!(await store.decide(db, found.id, decision))) throw conflict(settled)
    ctx.setAuditDetail(found.name)
    ctx.setMessage(`已通过「${found.name}」，可以发放`)
    await approval.notifyApplicant(ctx, found, '优惠券已通过')
    await approval.publishChange(db, found)
    return null
  },

  turnDown: async (ctx) => {
    const { db, actor, body } = ctx
    const found = await approval.readForeign(ctx, body.id)
    const decision = { as: 'turnDown', byId: actor.userId, by: actor.userName, reason: body.reason } as const
    if (!(await store.decide(db, found.id, decision))) throw conflict(settled)
    ctx.setAuditDetail(`${found.name} ${body.reason}`)
    ctx.setMessage(`已驳回「${found.name}」`)
    await approval.notifyApplicant(ctx, found, '优惠券被驳回', body.reason)
    await approval.publishChange(db, found)
    return null
  },

  stop: async ({ db, body, setAuditDetail, setMessage }) => {
    const changed = await store.stop(db, body.ids)
    setAuditDetail(`${changed}种`)
    setMessage(`已停发 ${changed} 种，已领取的仍可使用`)
    return { changed }
  },

  days: async ({ db, query }) => {
    if (!(await rowExists(db, 'coupon', { id: query.id }))) throw notFound()
    return store.readDays(db, query.id)
  },

  exportList: exportHandler(couponExport),
}

export const couponFeature = defineFeature(coupon, couponHandlers, { exports: [couponExport] })
