import { adjustmentDirection, adjustmentList, balanceAdjustment } from '@wattdeck/contract/member/balance-adjustment.ts'
import { wallet } from '@wattdeck/contract/member/member-row.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { creditProblem } from '@wattdeck/domain/manual-credit.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { refuseImpersonation, placeOf } from '../../../kit/auth/actor.ts'
import { exportHandler, exportOf } from '../../../kit/bulk/list-export.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import { defineApproval } from '../../../kit/http/approval.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { conflict, invalid, orNotFound } from '../../../kit/http/refusal.ts'
import { swapPicture } from '../../../kit/files/stored-files.ts'
import { withWholeOrganiseScope } from '../../../kit/db/whole-organise.ts'
import { balancesOf, post } from '../../../core/ledger/ledger.ts'
import { accountOf, linesOf } from './balance-adjustment.rules.ts'
import * as store from './balance-adjustment.store.ts'

type Some = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>
type Found = NonNullable<Awaited<ReturnType<typeof store.findAdjustment>>>
const settled = '该申请已处理，请刷新后重试'
const waitingPath = '/member/balanceAdjustment?status=1'

const approval = defineApproval<Found>({
  menu: menuKey.balanceAdjustment,
  lists: ['balanceAdjustment', 'member'],
  find: store.findAdjustment,
  doers: ({ createdById }) => [{ by: createdById, refusal: '不能审批自己提交的申请' }],
  label: ({ id }) => store.adjustmentNo(id),
  path: ({ id }) => `/member/balanceAdjustment?keyword=${store.adjustmentNo(id)}`,
})

/** Open lists reload. The event carries the place of its publisher, as row-level security requires. */
function publishChange({ db, actor }: Some, organiseId: string): Promise<void> {
  const { agent_id: agentId, site_id: siteId } = placeOf(actor)
  return approval.publishChange(db, { organiseId, agentId, siteId })
}

const inWords = (row: { direction: 1 | 2; wallet: 1 | 2; fen: bigint }) =>
  `${adjustmentDirection.show(row.direction).label}${wallet.show(row.wallet).label}${yuanText(row.fen)}元`

/** Checked under a lock of the organisation, so that each of several concurrent requests sees the ones before it. */
const assertWithinLimits = ({ db, scope, actor }: Some, organiseId: string, fen: bigint): Promise<void> =>
  withWholeOrganiseScope(db, scope, organiseId, async () => {
    const problem = creditProblem(fen, await store.lockCreditedToday(db, organiseId, actor.userId))
    if (problem !== undefined) throw invalid(problem, 'amount')
  })

const adjustmentExport = exportOf('balanceAdjustment', adjustmentList, store.adjustmentSource())

const balanceAdjustmentHandlers: Handlers<typeof balanceAdjustment> = {
  list: ({ db, scope, actor, query }) =>
    listQuery(db, scope, adjustmentList, store.adjustmentSource(actor.userId), query),

  add: async (ctx) => {
    const { db, actor, body } = ctx
    refuseImpersonation(ctx)
    const member = orNotFound(await store.findMember(db, body.memberId))
    const { organise_id, agent_id, site_id } = member
    const place = { organise_id, agent_id, site_id }
    if (body.direction === adjustmentDirection.code.down) {
      // The ledger refuses an overdraft in any case. This check reports it before the request reaches an approver.
      const ask = { account: accountOf(body.wallet), owner: member.id } as const
      const [balance = 0n] = await balancesOf(db, organise_id, [ask])
      if (balance < body.amount) throw conflict(`余额不足，当前${wallet.show(body.wallet).label}${yuanText(balance)}元`)
    }
    if (body.direction === adjustmentDirection.code.up) await assertWithinLimits(ctx, organise_id, body.amount)
    await swapPicture(db, actor, { from: null, to: body.pictureId ?? null, place })
    const id = await store.addAdjustment(db, {
      ...place,
      member_id: member.id,
      direction: body.direction,
      wallet: body.wallet,
      amount_fen: body.amount,
      reason: body.reason,
      picture_id: body.pictureId ?? null,
      created_by_id: actor.userId,
      created_by: actor.userName,
    })
    const what = inWords({ ...body, fen: body.amount })
    ctx.setAuditDetail(`${store.adjustmentNo(id)} 会员${member.id} ${what}`)
    ctx.setMessage('申请已提交，须由他人审批后生效')
    await approval.notifyDeciders(ctx, await approval.read(ctx, id), {
      title: '余额调整待审批',
      body: `${store.adjustmentNo(id)}，${actor.userName}申请为会员${member.id}${what}`,
      route: waitingPath,
    })
    await publishChange(ctx, organise_id)
    return { id }
  },

  approve: async (ctx) => {
    const { db, actor, body } = ctx
    const found = await approval.readForeign(ctx, body.id)
    const { organiseId, agentId, siteId } = found
    const decision = { as: 'approve', byId: actor.userId, by: actor.userName, reason: null } as const
    if (!(await store.decide(db, body.id, decision))) throw conflict(settled)
    await post(db, [
      {
        key: `adjustment/${found.id}`,
        keyAt: found.createdAt,
        place: { organiseId, agentId, siteId },
        kind: 'adjustment',
        ref: store.adjustmentNo(found.id),
        memo: found.reason,
        by: actor.userName,
        lines: linesOf(found),
      },
    ])
    ctx.setAuditDetail(
      `${store.adjustmentNo(found.id)} 会员${found.member_id} ${inWords({ ...codesOf(found), fen: BigInt(found.amount_fen) })}`,
    )
    ctx.setMessage(`已通过余额调整：${changeText(found)}，已入账`)
    await approval.notifyApplicant(ctx, found, '余额调整已通过')
    await publishChange(ctx, organiseId)
    return null
  },

  turnDown: async (ctx) => {
    const { db, actor, body } = ctx
    const found = await approval.readForeign(ctx, body.id)
    const decision = { as: 'turnDown', byId: actor.userId, by: actor.userName, reason: body.reason } as const
    if (!(await store.decide(db, body.id, decision))) throw conflict(settled)
    ctx.setAuditDetail(`${store.adjustmentNo(found.id)} ${body.reason}`)
    ctx.setMessage(`已驳回余额调整：${changeText(found)}，余额不变`)
    await approval.notifyApplicant(ctx, found, '余额调整被驳回', body.reason)
    await publishChange(ctx, found.organiseId)
    return null
  },

  withdraw: async (ctx) => {
    const found = await approval.readOwn(ctx, ctx.body.id, '只能撤销自己提交的申请')
    if (!(await store.withdraw(ctx.db, found.id))) throw conflict(settled)
    ctx.setAuditDetail(store.adjustmentNo(found.id))
    ctx.setMessage(`已撤销余额调整：${changeText(found)}`)
    await publishChange(ctx, found.organiseId)
    return null
  },

  exportList: exportHandler(adjustmentExport),
}

/** 增加充值余额 ¥10.00 */
function changeText(found: Found): string {
  const { direction, wallet: part } = codesOf(found)
  return `${adjustmentDirection.show(direction).label}${wallet.show(part).label} ¥${yuanText(BigInt(found.amount_fen))}`
}

const codesOf = ({ direction, wallet: part }: Found) => ({ direction: direction as 1 | 2, wallet: part as 1 | 2 })

export const balanceAdjustmentFeature = defineFeature(balanceAdjustment, balanceAdjustmentHandlers, {
  exports: [adjustmentExport],
})
