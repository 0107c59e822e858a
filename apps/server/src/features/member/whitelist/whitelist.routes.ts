import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { whitelistRule, whitelistStatus } from '@wattdeck/contract/member/whitelist-codes.ts'
import { whitelist, whitelistList } from '@wattdeck/contract/member/whitelist.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { refuseImpersonation } from '../../../kit/auth/actor.ts'
import { exportHandler, exportOf } from '../../../kit/bulk/list-export.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import { defineApproval } from '../../../kit/http/approval.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { conflict, invalid } from '../../../kit/http/refusal.ts'
import { assertFunder } from '../../_shared/discount-funder.ts'
import { isOwnPhone } from '../../_shared/own-phone.store.ts'
import { chosenPlace } from '../../_shared/place.store.ts'
import * as store from './whitelist.store.ts'

type Some = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>
type Body = BodyOf<typeof whitelist.add>
type Found = NonNullable<Awaited<ReturnType<typeof store.findEntry>>>
const settled = '该申请已处理，请刷新后重试'

const approval = defineApproval<Found>({
  menu: menuKey.whitelist,
  lists: ['whitelist'],
  find: store.findEntry,
  doers: ({ createdById }) => [{ by: createdById, refusal: '不能审核自己提交的申请' }],
  label: ({ name }) => `白名单 ${name}`,
  path: () => `/member/whitelist?status=${whitelistStatus.code.waiting}`,
})

/** Exactly the value that the rule needs, and no other. */
function valuesOf({ rule, payPercent, off, pay, freeKwh, times }: Body) {
  const { free, discount, reduction, fixed, freeTimes } = whitelistRule.code
  const needed = {
    payPercent: [discount],
    off: [reduction],
    pay: [fixed],
    freeKwh: [free, freeTimes],
    times: [freeTimes],
  }
  const given = { payPercent, off, pay, freeKwh, times }
  for (const [name, rules] of Object.entries(needed) as [keyof typeof needed, number[]][]) {
    if (rules.includes(rule) && given[name] === undefined) throw invalid('请填写优惠值', name)
    if (!rules.includes(rule) && given[name] !== undefined) throw invalid('该规则没有这一项', name)
  }
  for (const name of ['off', 'pay'] as const)
    if ((given[name] ?? 0n) > 100_000n) throw invalid('金额不能超过 1000 元', name)
  return {
    off_bp: payPercent === undefined ? null : 10_000 - payPercent * 100,
    off_fen: off === undefined ? null : Number(off),
    pay_fen: pay === undefined ? null : Number(pay),
    free_dwh: freeKwh === undefined ? null : freeKwh * 10_000,
    times: times ?? null,
  }
}

/** Neither the applicant nor the approver is the person who pays less. */
async function assertNotSelf(caller: Some, phone: string | null, refusal: string): Promise<void> {
  if (await isOwnPhone(caller, [phone])) throw invalid(refusal, 'phone')
}

const whitelistExport = exportOf('whitelist', whitelistList, store.whitelistSource())

const whitelistHandlers: Handlers<typeof whitelist> = {
  list: ({ db, scope, actor, query }) =>
    listQuery(db, scope, whitelistList, store.whitelistSource(actor.userId), query),

  add: async (ctx) => {
    refuseImpersonation(ctx)
    const { db, actor, body } = ctx
    const place = await chosenPlace(db, actor, body)
    if ((body.phone === undefined) === (body.cardNo === undefined)) throw invalid('请填写手机号或卡号中的一项', 'phone')
    const values = valuesOf(body)
    assertFunder(ctx, body.funder, place)
    if (body.endsOn < body.startsOn) throw invalid('结束日期不能早于开始日期', 'endsOn')
    const card = body.cardNo === undefined ? undefined : await store.findCard(db, place.organise_id, body.cardNo)
    if (body.cardNo !== undefined && card === undefined) throw invalid('没有找到该卡号的储值卡', 'cardNo')
    await assertNotSelf(ctx, body.phone ?? card?.phone ?? null, '不能把自己加入白名单')
    const person = { phone: body.phone ?? null, card_id: card?.id ?? null }
    const days = { starts_on: body.startsOn, ends_on: body.endsOn }
    await store.lockEntries(db, place.organise_id)
    if (await store.overlaps(db, place, { ...person, ...days })) throw conflict('该用户在此范围内已有同期的白名单')
    const id = await store.addEntry(db, place, {
      ...person,
      ...days,
      ...values,
      name: body.name,
      rule: body.rule,
      day_times: body.dayTimes,
      scope: body.scope,
      funder: body.funder,
      remark: body.remark ?? null,
      created_by_id: actor.userId,
      created_by: actor.userName,
    })
    ctx.setAuditDetail(`${body.name}，${whitelistRule.show(body.rule).label}`)
    ctx.setMessage('申请已提交，须由他人审核后生效')
    const entry = await approval.read(ctx, id)
    await approval.notifyDeciders(ctx, entry, { title: '白名单待审核' })
    await approval.publishChange(db, entry)
    return { id }
  },

  approve: async (ctx) => {
    const { db, actor, body } = ctx
    const found = await approval.readForeign(ctx, body.id)
    await assertNotSelf(ctx, found.phone, '不能审核自己的白名单')
    const decision = { as: 'approve', byId: actor.userId, by: actor.userName, reason: null } as const
    if (!(await store.decide(db, found.id, decision))) throw conflict(settled)
    ctx.setAuditDetail(found.name)
    ctx.setMessage(`已通过「${found.name}」的白名单，下一次充电起生效`)
    await approval.notifyApplicant(ctx, found, '白名单已通过')
    await approval.publishChange(db, found)
    return null
  },

  turnDown: async (ctx) => {
    const { db, actor, body } = ctx
    const found = await approval.readForeign(ctx, body.id)
    const decision = { as: 'turnDown', byId: actor.userId, by: actor.userName, reason: body.reason } as const
    if (!(await store.decide(db, found.id, decision))) throw conflict(settled)
    ctx.setAuditDetail(`${found.name} ${body.reason}`)
    ctx.setMessage(`已驳回「${found.name}」的白名单`)
    await approval.notifyApplicant(ctx, found, '白名单被驳回', body.reason)
    await approval.publishChange(db, found)
    return null
  },

  stop: async ({ db, body, setAuditDetail, setMessage }) => {
    const changed = await store.stop(db, body.ids)
    setAuditDetail(`${changed}条`)
    setMessage(`已停用 ${changed} 条，正在进行的充电不受影响`)
    return { changed }
  },

  extend: async (ctx) => {
    refuseImpersonation(ctx)
    const { db, actor, body } = ctx
    const changed = await store.extend(db, body.ids, body.endsOn, { id: actor.userId, name: actor.userName })
    ctx.setAuditDetail(`${changed}条延期至${body.endsOn}`)
    ctx.setMessage(`已申请延期 ${changed} 条，须由他人重新审核，审核前停止享受`)
    return { changed }
  },

  exportList: exportHandler(whitelistExport),
}

export const whitelistFeature = defineFeature(whitelist, whitelistHandlers, { exports: [whitelistExport] })
