import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { deskShift, deskShiftList, shiftStatus } from '@wattdeck/contract/operating/desk-shift.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { refuseImpersonation } from '../../../kit/auth/actor.ts'
import { exportHandler, exportOf } from '../../../kit/bulk/list-export.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import { withWholeOrganiseScope } from '../../../kit/db/whole-organise.ts'
import { defineApproval } from '../../../kit/http/approval.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { conflict, invalid, orNotFound } from '../../../kit/http/refusal.ts'
import { shiftNo } from '../_shared/desk-shift.store.ts'
import * as store from './desk-shift.store.ts'

type Found = NonNullable<Awaited<ReturnType<typeof store.findShift>>>
const alreadyClosed = '该班次已交班，请刷新后查看'

const approval = defineApproval<Found>({
  menu: menuKey.offlineRecharge,
  lists: ['deskShift', 'offlineRecharge'],
  find: store.findShift,
  doers: ({ createdById }) => [{ by: createdById, refusal: '不能接收自己的现金，须由他人确认交接' }],
  label: ({ id }) => shiftNo(id),
  path: ({ id }) => `/operating/deskShift?shiftId=${id}`,
})

type Caller = Pick<Ctx<typeof deskShift.close>, 'db' | 'scope'>
/** A clerk has their shift and all its cash, also after they or a member moved within the organisation. */
const inOwnOrganise = <T>({ db, scope }: Caller, work: () => Promise<T>): Promise<T> =>
  withWholeOrganiseScope(db, scope, scope.organiseId, work)

async function close({ db, actor, body }: Ctx<typeof deskShift.close>) {
  const found = orNotFound(await store.findOwnShift(db, body.id, actor.userId))
  if (found.status !== shiftStatus.code.open) throw conflict(alreadyClosed)
  const { recharges, fen } = await store.cashOf(db, found.id)
  if (recharges === 0) throw conflict('本班没有现金充值，无需交班')
  if (yuanText(fen) !== body.expected) throw conflict('本班的现金充值已变化，请按新的应交金额重新清点')
  if (body.counted !== fen && body.reason === undefined)
    throw invalid('实点金额与应交金额不符，请说明差额原因', 'reason')
  const closing = { recharges, expectedFen: fen, countedFen: body.counted, reason: body.reason }
  if (!(await store.closeShift(db, found.id, actor.userId, closing))) throw conflict(alreadyClosed)
  await approval.publishChange(db, found)
  return { found, recharges, fen }
}

const shiftExport = exportOf('deskShift', deskShiftList, store.shiftSource())

const deskShiftHandlers: Handlers<typeof deskShift> = {
  list: ({ db, scope, actor, query }) => listQuery(db, scope, deskShiftList, store.shiftSource(actor.userId), query),

  current: ({ db, scope, actor }) =>
    inOwnOrganise({ db, scope }, async () => {
      const rows = []
      for (const { id, organiseName, openedAt } of await store.openShiftsOf(db, actor.userId)) {
        const { recharges, waiting, fen } = await store.cashOf(db, id)
        rows.push({ id, serialNo: shiftNo(id), organiseName, openedAt, recharges, waiting, expected: yuanText(fen) })
      }
      return { rows }
    }),

  close: async (ctx) => {
    const { body } = ctx
    refuseImpersonation(ctx)
    const { found, recharges, fen } = await inOwnOrganise(ctx, () => close(ctx))
    const what = `${recharges}笔，应交${yuanText(fen)}元，实点${yuanText(body.counted)}元`
    ctx.setAuditDetail(`${shiftNo(found.id)} ${what}`)
    ctx.setMessage(`已交班：${what}，须由他人确认收到现金`)
    await approval.notifyDeciders(ctx, found, {
      title: '交班待确认',
      body: `${shiftNo(found.id)}，${found.clerk}交班，${what}`,
      route: '/operating/deskShift?status=2',
    })
    return null
  },

  confirm: async (ctx) => {
    const { db, actor, body } = ctx
    const found = await approval.readForeign(ctx, body.id)
    if (found.status !== shiftStatus.code.closed)
      throw conflict(found.status === shiftStatus.code.open ? '该班次尚未交班' : '该班次已确认交接')
    const countedFen = BigInt(found.counted_fen ?? '0')
    if (body.received !== countedFen && body.reason === undefined)
      throw invalid('实收金额与实点金额不符，请填写交接说明', 'reason')
    const receipt = {
      by: { id: actor.userId, name: actor.userName },
      receivedFen: body.received,
      reason: body.reason,
    }
    if (!(await store.receiveCash(db, found.id, receipt))) throw conflict('该班次已确认交接')
    ctx.setAuditDetail(`${shiftNo(found.id)} 实收${yuanText(body.received)}元`)
    ctx.setMessage(`已确认收到${found.clerk}的现金 ¥${yuanText(body.received)}`)
    await approval.notifyApplicant(ctx, found, '现金已确认交接', `实收${yuanText(body.received)}元`)
    await approval.publishChange(db, found)
    return null
  },

  exportList: exportHandler(shiftExport),
}

export const deskShiftFeature = defineFeature(deskShift, deskShiftHandlers, { exports: [shiftExport] })
