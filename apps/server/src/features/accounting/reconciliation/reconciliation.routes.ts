import { accountKind, channel } from '@wattdeck/contract/accounting/ledger-codes.ts'
import { breakKind, breakStatus, repairAction } from '@wattdeck/contract/accounting/recon-codes.ts'
import { type RepairOption, reconciliation } from '@wattdeck/contract/accounting/reconciliation.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { popupType } from '@wattdeck/contract/auth/notification.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { refuseImpersonation } from '../../../kit/auth/actor.ts'
import { exportHandler } from '../../../kit/bulk/list-export.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { notifyHolders, notifyPerson } from '../../../kit/events/notify-holders.ts'
import { publishToOrganisation } from '../../../kit/events/outbox.ts'
import { conflict, forbidden, invalid, notFound, orNotFound } from '../../../kit/http/refusal.ts'
import { holdersOf } from '../../../kit/auth/rights.ts'
import { assertDifferentPerson } from '../../../kit/auth/two-people.ts'
import { balancesOf, type Line, post } from '../../../core/ledger/ledger.ts'
import { lookNow } from '../../../core/payments/pay-order.store.ts'
import { readBreak } from './break-detail.store.ts'
import { breakNo } from './recon-labels.ts'
import { breakExport } from './reconciliation.export.ts'
import * as store from './reconciliation.store.ts'
import { type BreakRow, findBreak, lockBreak } from './repair-facts.store.ts'
import { type Booking, planRepair } from './repair-plan.ts'
import * as repairs from './repair.store.ts'
import { findRun, planDay, touchRun } from './run.store.ts'

type Some = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>
const settled = '该差异已处理，请刷新后重试'
const { explain, correct, writeOff } = repairAction.code
/** Seconds until the worker has queried the provider. */
const queryS = 5

const requireBreak = async ({ db }: Some, id: string): Promise<BreakRow> => orNotFound(await lockBreak(db, id))

async function open(ctx: Some, id: string): Promise<BreakRow> {
  const found = await requireBreak(ctx, id)
  if (found.status !== breakStatus.code.open) throw conflict(settled)
  return found
}

const request = async ({ db }: Some, id: string) => orNotFound(await repairs.lockRepair(db, id))

/** Maker-checker: the requester cannot decide, whatever their role. */
async function toDecide(ctx: Some, id: string) {
  const found = await request(ctx, id)
  await assertDifferentPerson(ctx, found.createdById, '不能审批自己提交的申请')
  return { found, row: await requireBreak(ctx, found.breakId) }
}

const publishChange = ({ db }: Some, organiseId: string) =>
  publishToOrganisation(
    db,
    { organise_id: organiseId, agent_id: null, site_id: null },
    { kind: 'changed', list: 'reconciliation' },
  )

const textOf = (booking: Booking | undefined) =>
  booking === undefined
    ? null
    : JSON.stringify({
        ...booking,
        lines: booking.lines.map(({ account, owner, fen }) => [account, owner, String(fen)]),
      })

async function bookingFor({ db }: Some, row: BreakRow, action: number): Promise<Booking | undefined> {
  if (action === explain) return undefined
  const { booking, problem } = await planRepair(db, row, action)
  if (problem !== undefined) throw conflict(problem)
  return booking
}

const ownerText = ({ account, owner }: Line): string => {
  if (account === 'channel' || account === 'channelFee' || account === 'refundDue')
    return channel.show(Number(owner) as 1).label
  if (account.startsWith('member')) return `会员 ${owner}`
  return account.startsWith('site') ? `站点 ${owner}` : '机构'
}

async function optionOf({ db }: Some, row: BreakRow, action: 2 | 3): Promise<RepairOption> {
  const { booking, problem } = await planRepair(db, row, action)
  if (booking === undefined) return { action, problem, lines: [] }
  const lines = booking.lines.filter(({ fen }) => fen !== 0n)
  const balances = await balancesOf(db, row.organiseId, lines)
  return {
    action,
    problem: null,
    lines: lines.map((line, place) => {
      const before = balances[place] ?? 0n
      return {
        account: accountKind.code[line.account],
        owner: ownerText(line),
        before: yuanText(before),
        amount: yuanText(line.fen),
        after: yuanText(before + line.fen),
      }
    }),
  }
}

const notifyPersonOfBreak = ({ db, scope }: Some, userId: string, row: BreakRow, title: string) =>
  notifyPerson(db, scope, userId, {
    type: popupType.code.system,
    title,
    body: `${breakNo(row.id)} ${breakKind.show(row.kind as 1).label}`,
    route: `/accounting/reconciliation?subject=${breakNo(row.id)}`,
  })

const reconciliationHandlers: Handlers<typeof reconciliation> = {
  list: ({ db, scope, query }) => store.listBreaks(db, scope, query),
  runs: ({ db, scope, query }) => store.listRuns(db, scope, query),

  detail: async ({ db, actor, params }) => {
    return orNotFound(await readBreak(db, params.id, actor.userId))
  },

  people: async ({ db, scope, params }) => {
    const row = orNotFound(await findBreak(db, params.id))
    const people = await repairs.peopleOf(db, row.organiseId)
    const holders = await holdersOf(
      db,
      scope,
      menuKey.reconciliation,
      people.map(({ id }) => id),
    )
    return people.filter(({ id }) => holders.has(id))
  },

  options: async (ctx) => {
    const row = orNotFound(await findBreak(ctx.db, ctx.params.id))
    const only = { action: explain, problem: null, lines: [] }
    return [only, await optionOf(ctx, row, correct), await optionOf(ctx, row, writeOff)]
  },

  run: async (ctx) => {
    const { db, scope, actor, body } = ctx
    const organiseId = scope.level === 0 ? body.organiseId : actor.organiseId
    if (scope.level > 1) throw forbidden()
    if (organiseId === undefined) throw invalid('请选择机构', 'organiseId')
    if (body.organiseId !== undefined && body.organiseId !== organiseId) throw notFound()
    if (!(await store.seesOrganise(db, organiseId))) throw notFound()
    if (!(await store.hasBegun(db, body.day))) throw invalid('不能核对未来的日期', 'day')
    const runs = await planDay(db, { day: body.day, organiseId, by: actor.userName })
    for (const runId of runs) await ctx.enqueue('recon.run', { runId })
    ctx.setAuditDetail(body.day)
    ctx.setMessage('对账已开始，结果稍后更新')
    await publishChange(ctx, organiseId)
    return null
  },

  assign: async (ctx) => {
    const { db, scope, body } = ctx
    const row = await requireBreak(ctx, body.id)
    const person = await repairs.findPerson(db, row.organiseId, body.userId)
    const holders = await holdersOf(db, scope, menuKey.reconciliation, [body.userId])
    if (person === undefined || !holders.has(person.id)) throw notFound()
    await repairs.assignBreak(db, row.id, person.id)
    ctx.setAuditDetail(`${breakNo(row.id)} ${person.name}`)
    if (person.id !== ctx.actor.userId) await notifyPersonOfBreak(ctx, person.id, row, '对账差异已指派给您')
    await publishChange(ctx, row.organiseId)
    return null
  },

  query: async (ctx) => {
    const { db, body } = ctx
    const row = await open(ctx, body.id)
    if (row.payOrderId === null || row.merchantId === null) throw conflict('该差异没有可查询的支付单')
    await lookNow(db, row.payOrderId)
    const runId = await findRun(db, row)
    if (runId !== undefined) await ctx.enqueue('recon.run', { runId }, queryS)
    ctx.setAuditDetail(breakNo(row.id))
    ctx.setMessage('已向支付渠道查询，并将重新核对当日')
    return null
  },

  ask: async (ctx) => {
    const { db, scope, actor, body } = ctx
    refuseImpersonation(ctx)
    const row = await open(ctx, body.id)
    const posting = textOf(await bookingFor(ctx, row, body.action))
    const { userId: byId, userName: by } = actor
    const { action, reason } = body
    const input = { organiseId: row.organiseId, breakId: row.id, action, posting, reason, byId, by }
    const id = await repairs.addRepair(db, input)
    if (id === undefined) throw conflict('该差异已有待审批的申请')
    const what = `${breakNo(row.id)} ${repairAction.show(action).label}`
    ctx.setAuditDetail(what)
    ctx.setMessage('申请已提交，须由他人审批后生效')
    await notifyHolders(
      db,
      scope,
      {
        place: { organise_id: row.organiseId, agent_id: null, site_id: null },
        grant: { menu: menuKey.reconciliation, action: 'approve' },
        except: byId,
      },
      {
        type: popupType.code.system,
        title: '对账差异处理待审批',
        body: `${what}，${by}申请`,
        route: `/accounting/reconciliation?subject=${breakNo(row.id)}`,
      },
    )
    await publishChange(ctx, row.organiseId)
    return { id }
  },

  approve: async (ctx) => {
    const { db, actor, body } = ctx
    const { found, row } = await toDecide(ctx, body.repairId)
    if (row.status !== breakStatus.code.open) throw conflict(settled)
    const booking = await bookingFor(ctx, row, found.action)
    if (!(await repairs.matchesPlannedPosting(db, found.id, textOf(booking))))
      throw conflict('账目已变化，请驳回后重新申请')
    const decision = { as: 'approve', byId: actor.userId, by: actor.userName, reason: null } as const
    if (!(await repairs.decide(db, found.id, decision))) throw conflict(settled)
    const key = booking === undefined ? null : (booking.key ?? `recon/${row.id}/${found.id}`)
    if (booking !== undefined)
      await post(db, [
        {
          keyAt: found.createdAt,
          place: { organiseId: row.organiseId, agentId: null, siteId: null },
          ref: breakNo(row.id),
          ...booking,
          key: key ?? '',
          memo: found.reason,
          by: actor.userName,
        },
      ])
    const closing = { action: found.action, by: actor.userName, why: found.reason, key }
    if (!(await repairs.closeBreak(db, row.id, closing))) throw conflict(settled)
    await touchRun(db, row)
    ctx.setAuditDetail(`${breakNo(row.id)} ${repairAction.show(found.action as 1).label}`)
    await notifyPersonOfBreak(ctx, found.createdById, row, '对账差异处理已通过')
    await publishChange(ctx, row.organiseId)
    return null
  },

  turnDown: async (ctx) => {
    const { db, actor, body } = ctx
    const { found, row } = await toDecide(ctx, body.repairId)
    const decision = { as: 'turnDown', byId: actor.userId, by: actor.userName, reason: body.reason } as const
    if (!(await repairs.decide(db, found.id, decision))) throw conflict(settled)
    ctx.setAuditDetail(`${breakNo(row.id)} ${body.reason}`)
    await notifyPersonOfBreak(ctx, found.createdById, row, '对账差异处理被驳回')
    await publishChange(ctx, row.organiseId)
    return null
  },

  withdraw: async (ctx) => {
    const found = await request(ctx, ctx.body.repairId)
    if (found.createdById !== ctx.actor.userId) throw conflict('只能撤销自己提交的申请')
    if (!(await repairs.withdraw(ctx.db, found.id))) throw conflict(settled)
    const row = await requireBreak(ctx, found.breakId)
    ctx.setAuditDetail(breakNo(row.id))
    await publishChange(ctx, row.organiseId)
    return null
  },

  exportList: exportHandler(breakExport),
}

export const reconciliationFeature = defineFeature(reconciliation, reconciliationHandlers, { exports: [breakExport] })
