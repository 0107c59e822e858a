import { merchantMode, payProvider, payRefundStatus, payWay } from '@wattdeck/contract/accounting/pay-codes.ts'
import { type paySetting, testStage } from '@wattdeck/contract/accounting/pay-setting.ts'
import { enabledStatus } from '@wattdeck/contract/common.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { publishToOrganisation } from '../../../kit/events/outbox.ts'
import { conflict, forbidden, invalid, notFound, orNotFound } from '../../../kit/http/refusal.ts'
import type { SignerClient } from '../../../kit/crypto/signer-client.ts'
import { assertDifferentPerson } from '../../../kit/auth/two-people.ts'
import { askTest } from '../../../core/payments/ask-payment.ts'
import { notifyKeyStep } from '../../../core/payments/key-notice.ts'
import type { Merchants } from '../../../core/payments/merchants.ts'
import { feeE5Of, keySetOf, rateText } from './pay-setting.rules.ts'
import * as store from './pay-setting.store.ts'
import { storedPay } from '../../../core/payments/stored-status.ts'

type Some = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>
type Fields = Omit<BodyOf<typeof paySetting.edit>, 'id'>
type Locked = NonNullable<Awaited<ReturnType<typeof store.lockMerchant>>>
const mostKeys = 2
const decidedText = '该密钥已处理，请刷新后重试'
const openText = '有未完成的支付或退款，请稍后再试'

/** A merchant belongs to its organisation: users of agents and sites cannot change it, whatever their role grants. */
async function toChange({ db, scope }: Some, id: string): Promise<Locked> {
  if (scope.level > 1) throw forbidden()
  return orNotFound(await store.lockMerchant(db, id))
}

function keyOf({ keys }: Locked, keyId: string) {
  return orNotFound(keys.find(({ id }) => id === keyId))
}

/** Maker-checker: the requester of a key does not decide on it. */
async function toDecide(ctx: Some & { body: { id: string; keyId: string } }) {
  const was = await toChange(ctx, ctx.body.id)
  const key = keyOf(was, ctx.body.keyId)
  await assertDifferentPerson(ctx, key.askedBy, '不能审批自己提交的密钥')
  return { was, key }
}

const publishChange = ({ db }: Some, organiseId: string) =>
  publishToOrganisation(
    db,
    { organise_id: organiseId, agent_id: null, site_id: null },
    { kind: 'changed', list: 'paySetting' },
  )

function fieldsOf(body: Fields) {
  const partner = body.mode === merchantMode.code.partner
  if (partner && body.subMerchantNo === undefined) throw invalid('请输入特约商户号', 'subMerchantNo')
  const { mode, name, appId, merchantNo, rate } = body
  const subMerchantNo = partner ? (body.subMerchantNo ?? null) : null
  return { mode, name, appId, merchantNo, subMerchantNo, feeE5: feeE5Of(rate) }
}

/** Label of a merchant in the log: its provider and merchant number. */
const named = ({ provider, merchantNo }: { provider: number; merchantNo: string }) =>
  `${payProvider.show(provider as 1).label} ${merchantNo}`

export const paySettingHandlers = (signer: SignerClient, merchants: Merchants): Handlers<typeof paySetting> => ({
  list: async ({ db, scope, actor, query }) => {
    const found = await store.listMerchants(db, scope, query, actor.userId)
    const rows = found.rows.map(({ feeE5, ...row }) => ({
      ...row,
      rate: rateText(feeE5),
      notifyUrl: merchants.noticeUrl(row),
    }))
    return { ...found, rows }
  },

  add: async (ctx) => {
    const { db, scope, actor, body } = ctx
    if (scope.level > 1) throw forbidden()
    const organiseId = scope.level === 0 ? body.organiseId : actor.organiseId
    if (organiseId === undefined) throw invalid('请选择机构', 'organiseId')
    if (body.organiseId !== undefined && body.organiseId !== organiseId) throw notFound()
    const fields = fieldsOf(body)
    const id = await store.addMerchant(db, {
      ...fields,
      organiseId,
      provider: body.provider,
      createdBy: actor.userName,
    })
    if (body.isDefault === true) await store.setDefault(db, id, true)
    ctx.setAuditDetail(named(body))
    ctx.setMessage('已新增，密钥经平台审批并通过一分钱测试后可启用')
    await publishChange(ctx, organiseId)
    return { id }
  },

  edit: async (ctx) => {
    const { db, body } = ctx
    const was = await toChange(ctx, body.id)
    const to = fieldsOf(body)
    const anew =
      was.mode !== to.mode ||
      was.appId !== to.appId ||
      was.merchantNo !== to.merchantNo ||
      was.subMerchantNo !== to.subMerchantNo
    if (anew && (await store.hasOpen(db, was.id))) throw conflict(openText)
    await store.editMerchant(db, was.id, to, anew)
    await store.setDefault(db, was.id, body.isDefault === true)
    ctx.setAuditDetail(named({ ...was, ...to }))
    if (anew) ctx.setMessage('商户信息已变更，须重新授权并通过一分钱测试后启用')
    await publishChange(ctx, was.organiseId)
    return null
  },

  remove: async (ctx) => {
    const was = await toChange(ctx, ctx.body.id)
    if (await store.hasOpen(ctx.db, was.id)) throw conflict(openText)
    await store.removeMerchant(ctx.db, was.id)
    ctx.setAuditDetail(named(was))
    await publishChange(ctx, was.organiseId)
    return null
  },

  addKey: async (ctx) => {
    const { db, scope, actor, body } = ctx
    const { id, ...sent } = body
    const was = await toChange(ctx, id)
    if (was.keys.length >= mostKeys) throw conflict('已有两把密钥，请先停用或撤销其中一把')
    const { secret, ...key } = keySetOf(was.provider, sent)
    const { sealed } = await signer.request('seal', { plain: JSON.stringify(secret) })
    await store.addKey(db, {
      ...key,
      organiseId: was.organiseId,
      merchantId: was.id,
      sealed,
      by: actor.userName,
      askedBy: actor.userId,
    })
    ctx.setAuditDetail(`${named(was)} ${key.serial}`)
    ctx.setMessage('密钥已提交，平台审批并经渠道验证后生效')
    await notifyKeyStep(db, scope, was, key, 'requested', `由${actor.userName}提交`)
    return null
  },

  retireKey: async (ctx) => {
    const was = await toChange(ctx, ctx.body.id)
    const key = keyOf(was, ctx.body.keyId)
    const last = key.live && was.keys.filter(({ live }) => live).length === 1
    if (last && was.status === enabledStatus.code.enabled) throw conflict('启用中的商户至少保留一把生效中的密钥')
    await store.retireKey(ctx.db, key.id)
    ctx.setAuditDetail(`${named(was)} ${key.serial}`)
    ctx.setMessage(key.live ? '密钥已停用' : '密钥已撤销')
    await notifyKeyStep(ctx.db, ctx.scope, was, key, 'retired', `由${ctx.actor.userName}停用`)
    return null
  },

  approveKey: async (ctx) => {
    const { db, scope, actor } = ctx
    const { was, key } = await toDecide(ctx)
    if (!(await store.approveKey(db, key.id, actor.userName))) throw conflict(decidedText)
    ctx.setAuditDetail(`${named(was)} ${key.serial}`)
    ctx.setMessage('已通过，正在向渠道验证该密钥')
    await notifyKeyStep(db, scope, was, key, 'approved')
    return null
  },

  declineKey: async (ctx) => {
    const { db, scope, body } = ctx
    const { was, key } = await toDecide(ctx)
    if (!(await store.declineKey(db, key.id, body.reason))) throw conflict(decidedText)
    ctx.setAuditDetail(`${named(was)} ${key.serial} ${body.reason}`)
    ctx.setMessage('密钥已驳回')
    await notifyKeyStep(db, scope, was, key, 'declined', body.reason)
    return null
  },

  toggle: async (ctx) => {
    const { db, body } = ctx
    const was = await toChange(ctx, body.id)
    if (body.status === enabledStatus.code.enabled) {
      if (!was.authorised) throw conflict('平台尚未授权该商户，不能启用')
      if (!was.tested || !was.keys.some(({ live }) => live)) throw conflict('请先通过一分钱测试')
    }
    await store.setStatus(db, was.id, body.status)
    ctx.setAuditDetail(`${named(was)} ${enabledStatus.show(body.status).label}`)
    ctx.setMessage(`${was.name}已${enabledStatus.show(body.status).label}`)
    await publishChange(ctx, was.organiseId)
    return null
  },

  test: async (ctx) => {
    const { db, body } = ctx
    const was = await toChange(ctx, body.id)
    if (was.keys.length === 0) throw conflict('请先上传密钥')
    if (!was.keys.some(({ live }) => live)) throw conflict('密钥尚未生效，须先经平台审批和渠道验证')
    ctx.setAuditDetail(named(was))
    const open = await store.openTest(db, was.id)
    return { testId: open ?? (await askTest(db, was.organiseId, was, payWay.code.code)) }
  },

  testState: async ({ db, query }) => {
    const found = orNotFound(await store.readTest(db, query.testId))
    const stage = stageOf(found)
    const codeUrl = stage === testStage.code.waiting ? found.codeUrl : null
    return { stage, codeUrl, words: wordsOf(found, stage) }
  },
})

type Test = NonNullable<Awaited<ReturnType<typeof store.readTest>>>

function stageOf({ status, codeUrl, refundStatus }: Test) {
  const { sending, waiting, returning, passed, failed } = testStage.code
  if (status === storedPay.number.closed) return failed
  if (status === storedPay.number.unpaid) return codeUrl === null ? sending : waiting
  const { arrived, refused, abnormal } = payRefundStatus.code
  if (refundStatus === arrived) return passed
  return refundStatus === refused || refundStatus === abnormal ? failed : returning
}

function wordsOf({ failure, words }: Test, stage: number): string | null {
  if (stage === testStage.code.failed) return failure ?? words ?? '支付码已过期'
  return stage === testStage.code.returning ? words : null
}
