import { type AccountName, channel, type PostingName } from '@wattdeck/contract/accounting/ledger-codes.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { enterpriseRefund, enterpriseRefundList } from '@wattdeck/contract/order/enterprise-refund.ts'
import { masks } from '@wattdeck/domain/masks.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { refuseImpersonation } from '../../../kit/auth/actor.ts'
import { exportHandler, exportOf } from '../../../kit/bulk/list-export.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import { assertDifferentPerson } from '../../../kit/auth/two-people.ts'
import { defineApproval } from '../../../kit/http/approval.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { conflict, notFound } from '../../../kit/http/refusal.ts'
import { swapPicture } from '../../../kit/files/stored-files.ts'
import type { Vault } from '../../../kit/crypto/vault.ts'
import { post } from '../../../core/ledger/ledger.ts'
import { payTime } from '../../../core/payments/pay-numbers.ts'
import { alreadySettled } from '../../../core/refunds/already-settled.ts'
import * as steps from '../../../core/refunds/steps.store.ts'
import { checkSpan } from '../_shared/order-totals.rules.ts'
import { enterpriseRefundSource } from './enterprise-refund.store.ts'
import * as store from './enterprise-refund.store.ts'

type Some = Pick<Ctx<never>, 'db' | 'scope' | 'actor' | 'setAuditDetail' | 'setMessage'>
type Refund = store.LockedRefund
const table = 'enterprise_refund'
const byOf = ({ actor }: Some) => ({ id: actor.userId, name: actor.userName })

const approval = defineApproval<Refund>({
  menu: menuKey.enterpriseRefund,
  lists: ['enterpriseRefund', 'member'],
  find: store.lockRefund,
  doers: ({ createdById }) => [{ by: createdById, refusal: '不能处理自己提交的退款' }],
  label: ({ id, amountFen }) => `退款单${id}，${yuanText(amountFen)}元`,
  path: ({ id }) => `/order/enterpriseRefund?refundNo=${id}`,
})

/** Explains why no row was updated: the step was taken meanwhile, or the caller took an earlier step. */
const whyNot = ({ actor }: Some, refund: Refund) =>
  refund.auditedById === actor.userId ? '审核人与审批人不能是同一人' : alreadySettled

type Side = { account: AccountName; owner: string }

/** Posts the whole amount from one account to another. The idempotency key allows it once per step. */
const move = ({ db }: Some, refund: Refund, step: string, kind: PostingName, from: Side, to: Side) =>
  post(db, [
    {
      key: `enterpriseRefund/${refund.id}/${step}`,
      keyAt: payTime(refund.id),
      place: refund,
      kind,
      ref: refund.id,
      lines: [
        { ...from, fen: -refund.amountFen },
        { ...to, fen: refund.amountFen },
      ],
    },
  ])
const wallet = ({ memberId }: Refund): Side => ({ account: 'memberPaid', owner: memberId })
const aside = ({ memberId }: Refund): Side => ({ account: 'memberRefunding', owner: memberId })
const bank: Side = { account: 'channel', owner: String(channel.code.offline) }

const yuan = ({ amountFen }: Refund) => `¥${yuanText(amountFen)}`

/** Refreshes open lists, and notifies the users who decide next. */
async function publishChange(ctx: Some, refund: Refund, next?: 'edit' | 'approve'): Promise<void> {
  ctx.setAuditDetail(`退款单${refund.id} ${yuanText(refund.amountFen)}元`)
  await approval.publishChange(ctx.db, refund)
  if (next !== undefined) await approval.notifyDeciders(ctx, refund, { title: '企业退款待处理', action: next })
}

async function decline(ctx: Some, body: { id: string; reason: string }, write: typeof steps.writeAudit): Promise<null> {
  const refund = await approval.readForeign(ctx, body.id)
  if (!(await write(ctx.db, table, refund.id, byOf(ctx), body.reason))) throw conflict(whyNot(ctx, refund))
  await move(ctx, refund, 'return', 'release', aside(refund), wallet(refund))
  ctx.setMessage(`已驳回企业退款 ${yuan(refund)}，冻结金额已退回企业钱包`)
  await approval.notifyApplicant(ctx, refund, '企业退款被驳回', body.reason)
  await publishChange(ctx, refund)
  return null
}

async function callOff(ctx: Some, refund: Refund, action: 'cancel' | 'giveBack'): Promise<null> {
  if (!(await store.writeCancel(ctx.db, refund.id, action))) throw conflict(alreadySettled)
  await move(ctx, refund, 'return', 'release', aside(refund), wallet(refund))
  const verb = action === 'cancel' ? '已撤销企业退款' : '不再打款'
  ctx.setMessage(`${verb}，${yuan(refund)} 已退回企业钱包`)
  await publishChange(ctx, refund)
  return null
}

const enterpriseRefundExport = exportOf('enterpriseRefund', enterpriseRefundList, enterpriseRefundSource())

const enterpriseRefundHandlers = (vault: Vault): Handlers<typeof enterpriseRefund> => ({
  list: ({ db, scope, actor, query }) =>
    listQuery(db, scope, enterpriseRefundList, enterpriseRefundSource(actor.userId), query),

  totals: async ({ db, scope, query }) => {
    checkSpan(query)
    return store.enterpriseRefundTotals(db, scope, query)
  },

  add: async (ctx) => {
    refuseImpersonation(ctx)
    const { db, body } = ctx
    const member = await store.findMember(db, body.memberId)
    if (member === undefined) throw notFound()
    const id = await store.addRefund(db, {
      ...body,
      member,
      taxpayerNo: body.taxpayerNo ?? null,
      amountFen: body.amount,
      account: { sealed: vault.seal(body.account), shown: masks.bankCard(body.account) },
      by: byOf(ctx),
    })
    const refund = await approval.read(ctx, id)
    await move(ctx, refund, 'ask', 'hold', wallet(refund), aside(refund))
    ctx.setMessage('退款申请已提交，须由另外两人审核和审批')
    await publishChange(ctx, refund, 'edit')
    return { id }
  },

  audit: async (ctx) => {
    const refund = await approval.readForeign(ctx, ctx.body.id)
    if (!(await steps.writeAudit(ctx.db, table, refund.id, byOf(ctx), null))) throw conflict(alreadySettled)
    ctx.setMessage(`已审核通过企业退款 ${yuan(refund)}，等待另一人审批`)
    await publishChange(ctx, refund, 'approve')
    return null
  },
  auditFail: (ctx) => decline(ctx, ctx.body, steps.writeAudit),

  approve: async (ctx) => {
    const refund = await approval.readForeign(ctx, ctx.body.id)
    await assertDifferentPerson(ctx, refund.auditedById, '审核人与审批人不能是同一人')
    if (!(await steps.writeApproval(ctx.db, table, refund.id, byOf(ctx), null))) throw conflict(whyNot(ctx, refund))
    ctx.setMessage(`已审批通过企业退款 ${yuan(refund)}，请打款后上传回单`)
    await publishChange(ctx, refund, 'edit')
    return null
  },
  approvalFail: (ctx) => decline(ctx, ctx.body, steps.writeApproval),

  cancel: async (ctx) => {
    const refund = await approval.readOwn(ctx, ctx.body.id, '只能撤销自己提交的退款')
    return callOff(ctx, refund, 'cancel')
  },

  finish: async (ctx) => {
    const { db, actor, body } = ctx
    const refund = await approval.readForeign(ctx, body.id)
    const place = { organise_id: refund.organiseId, agent_id: refund.agentId, site_id: refund.siteId }
    await swapPicture(db, actor, { from: null, to: body.pictureId, place })
    if (!(await store.writeFinish(db, refund.id, byOf(ctx), body.pictureId))) throw conflict(alreadySettled)
    await move(ctx, refund, 'paid', 'refund', aside(refund), bank)
    ctx.setMessage(`已确认打款 ${yuan(refund)}，退款完成`)
    await publishChange(ctx, refund)
    return null
  },

  giveBack: async (ctx) => callOff(ctx, await approval.readForeign(ctx, ctx.body.id), 'giveBack'),

  exportList: exportHandler(enterpriseRefundExport),
})

export const enterpriseRefundFeature = defineFeature(enterpriseRefund, ({ vault }) => enterpriseRefundHandlers(vault), {
  exports: [enterpriseRefundExport],
})
