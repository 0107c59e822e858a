import {
  merchantMode,
  payProvider,
  payRefundStatus,
  payStatus,
  payWay,
} from '@wattdeck/contract/accounting/pay-codes.ts'
import { type paySetting, testStage } from '@wattdeck/contract/accounting/pay-setting.ts'
import { enabledStatus } from '@wattdeck/contract/common.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import type { Ctx, Handlers } from '../../kit/handlers.ts'
import { tellOrganise } from '../../kit/outbox.ts'
import { conflict, forbidden, invalid, notFound } from '../../kit/refusal.ts'
import type { Vault } from '../../kit/vault.ts'
import { askTest } from '../../pay/ask-payment.ts'
import type { Merchants } from '../../pay/merchants.ts'
import { feeE5Of, keySetOf, rateText } from './pay-setting.rules.ts'
import * as store from './pay-setting.store.ts'

type Some = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>
type Fields = Omit<BodyOf<typeof paySetting.edit>, 'id'>
type Locked = NonNullable<Awaited<ReturnType<typeof store.lockMerchant>>>
const mostKeys = 2
const openText = '有未完成的支付或退款，请稍后再试'

/** A merchant is its organisation's: nobody of an agent or a site changes it, whatever their role says. */
async function toChange({ db, scope }: Some, id: string): Promise<Locked> {
  if (scope.level > 1) throw forbidden()
  const found = await store.lockMerchant(db, scope, id)
  if (found === undefined) throw notFound()
  return found
}

const tell = ({ db }: Some, organiseId: string) =>
  tellOrganise(db, { organise_id: organiseId, agent_id: null, site_id: null }, { kind: 'changed', list: 'paySetting' })

function fieldsOf(body: Fields) {
  const partner = body.mode === merchantMode.code.partner
  if (partner && body.subMerchantNo === undefined) throw invalid('请输入特约商户号', 'subMerchantNo')
  const { mode, name, appId, merchantNo, rate, profitSharing = false } = body
  const subMerchantNo = partner ? (body.subMerchantNo ?? null) : null
  return { mode, name, appId, merchantNo, subMerchantNo, feeE5: feeE5Of(rate), profitSharing }
}

/** In words for the log: a merchant is known by its channel and number. */
const named = ({ provider, merchantNo }: { provider: number; merchantNo: string }) =>
  `${payProvider.show(provider as 1).label} ${merchantNo}`

export const paySettingHandlers = (vault: Vault, merchants: Merchants): Handlers<typeof paySetting> => ({
  list: async ({ db, scope, query }) => {
    const found = await store.listMerchants(db, scope, query)
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
    const id = await store.addMerchant(db, scope, {
      ...fields,
      organiseId,
      provider: body.provider,
      createdBy: actor.userName,
    })
    if (body.isDefault === true) await store.setDefault(db, scope, id, true)
    ctx.note(named(body))
    ctx.say('已新增，上传密钥并通过一分钱测试后可启用')
    await tell(ctx, organiseId)
    return { id }
  },

  edit: async (ctx) => {
    const { db, scope, body } = ctx
    const was = await toChange(ctx, body.id)
    const to = fieldsOf(body)
    const anew =
      was.mode !== to.mode ||
      was.appId !== to.appId ||
      was.merchantNo !== to.merchantNo ||
      was.subMerchantNo !== to.subMerchantNo
    if (anew && (await store.hasOpen(db, scope, was.id))) throw conflict(openText)
    await store.editMerchant(db, scope, was.id, to, anew)
    await store.setDefault(db, scope, was.id, body.isDefault === true)
    ctx.note(named({ ...was, ...to }))
    if (anew) ctx.say('商户信息已变更，须重新授权并通过一分钱测试后启用')
    await tell(ctx, was.organiseId)
    return null
  },

  remove: async (ctx) => {
    const was = await toChange(ctx, ctx.body.id)
    if (await store.hasOpen(ctx.db, ctx.scope, was.id)) throw conflict(openText)
    await store.removeMerchant(ctx.db, ctx.scope, was.id)
    ctx.note(named(was))
    await tell(ctx, was.organiseId)
    return null
  },

  addKey: async (ctx) => {
    const { db, scope, actor, body } = ctx
    const { id, ...sent } = body
    const was = await toChange(ctx, id)
    if (was.liveKeys.length >= mostKeys) throw conflict('已有两把生效中的密钥，请先停用旧密钥')
    const { secret, ...key } = keySetOf(was.provider, sent)
    const sealed = vault.seal(JSON.stringify(secret))
    await store.addKey(db, scope, {
      ...key,
      organiseId: was.organiseId,
      merchantId: was.id,
      sealed,
      by: actor.userName,
    })
    ctx.note(`${named(was)} ${key.serial}`)
    await tell(ctx, was.organiseId)
    return null
  },

  retireKey: async (ctx) => {
    const was = await toChange(ctx, ctx.body.id)
    if (!was.liveKeys.includes(ctx.body.keyId)) throw notFound()
    const last = was.liveKeys.length === 1
    if (last && was.status === enabledStatus.code.enabled) throw conflict('启用中的商户至少保留一把密钥')
    await store.retireKey(ctx.db, ctx.scope, ctx.body.keyId)
    ctx.note(named(was))
    await tell(ctx, was.organiseId)
    return null
  },

  toggle: async (ctx) => {
    const { db, scope, body } = ctx
    const was = await toChange(ctx, body.id)
    if (body.status === enabledStatus.code.enabled) {
      if (!was.authorised) throw conflict('平台尚未授权该商户，不能启用')
      if (!was.tested || was.liveKeys.length === 0) throw conflict('请先通过一分钱测试')
    }
    await store.setStatus(db, scope, was.id, body.status)
    ctx.note(`${named(was)} ${enabledStatus.show(body.status).label}`)
    await tell(ctx, was.organiseId)
    return null
  },

  test: async (ctx) => {
    const { db, scope, body } = ctx
    const was = await toChange(ctx, body.id)
    if (was.liveKeys.length === 0) throw conflict('请先上传密钥')
    ctx.note(named(was))
    const open = await store.openTest(db, scope, was.id)
    return { testId: open ?? (await askTest(db, scope, was.organiseId, was, payWay.code.code)) }
  },

  testState: async ({ db, scope, query }) => {
    const found = await store.readTest(db, scope, query.testId)
    if (found === undefined) throw notFound()
    const stage = stageOf(found)
    const codeUrl = stage === testStage.code.waiting ? found.codeUrl : null
    return { stage, codeUrl, words: wordsOf(found, stage) }
  },
})

type Test = NonNullable<Awaited<ReturnType<typeof store.readTest>>>

function stageOf({ status, codeUrl, refundStatus }: Test) {
  const { sending, waiting, returning, passed, failed } = testStage.code
  if (status === payStatus.code.closed) return failed
  if (status === payStatus.code.waiting) return codeUrl === null ? sending : waiting
  const { arrived, refused, abnormal } = payRefundStatus.code
  if (refundStatus === arrived) return passed
  return refundStatus === refused || refundStatus === abnormal ? failed : returning
}

function wordsOf({ failure, words }: Test, stage: number): string | null {
  if (stage === testStage.code.failed) return failure ?? words ?? '支付码已过期'
  return stage === testStage.code.returning ? words : null
}
