import { alipayAuth, type AlipayProgress, alipayStep } from '@wattdeck/contract/auth/alipay-auth.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import type { Deps } from '../../../kit/http/http.ts'
import { conflict, forbidden, notFound, Refusal, orNotFound } from '../../../kit/http/refusal.ts'
import { sha256 } from '../../../kit/auth/tokens.ts'
import * as store from './alipay-auth.store.ts'

type Asking = Pick<Ctx<never>, 'db' | 'scope'>
const { open, done, refused, unknown } = alipayStep.code

const deadLink = {
  revoked: () => conflict('授权邀请已失效，请使用最新的邀请链接'),
  expired: () => conflict('授权邀请已过期，请联系邀请人重新生成'),
  used: () => conflict('授权邀请已使用'),
}
const noSuchState = () => new Refusal(404, '授权请求不存在，请重新打开授权链接')

/** The caller has no session, so the audit line belongs to the organisation of the invitation. */
const subjectOf = (organiseId: string) => ({
  organiseId,
  agentId: null,
  siteId: null,
  userId: null,
  userName: '支付宝用户',
  loginName: null,
})

function alipayAuthHandlers({ alipay, vault }: Deps): Handlers<typeof alipayAuth> {
  const addressOf = (state: string) => {
    const { authoriseUrl, appId, returnUrl } = alipay
    const fields = { app_id: appId, scope: 'auth_user', redirect_uri: returnUrl, state }
    return `${authoriseUrl}?${new URLSearchParams(fields).toString()}`
  }

  /**
   * The state that an anonymous visitor of the link may see. A live invitation offers a new address at Alipay after a
   * failure.
   */
  async function progressOf({ db }: Asking, invite: store.Invite, attempt: store.Attempt | undefined) {
    const step = attempt?.status ?? open
    const mayGo = invite.standing === 'live' && (step === open || step === refused || step === unknown)
    const state = mayGo ? await store.openState(db, vault, invite) : undefined
    return {
      step,
      organiseName: invite.name,
      reason: attempt?.reason ?? null,
      authorisation: step === done ? ((await store.authorisationOf(db, invite.organise_id)) ?? null) : null,
      address: state === undefined ? null : addressOf(state),
      late: attempt?.late ?? false,
    } satisfies AlipayProgress
  }

  /** Finds the attempt of a state and locks its invitation. */
  async function ofState({ db }: Asking, state: string) {
    const attemptOfState = await store.findAttempt(db, state)
    const invite =
      attemptOfState === undefined ? undefined : await store.findInvite(db, { id: attemptOfState.invite_id })
    // Read again, under the lock of the invitation.
    const attempt = invite === undefined ? undefined : await store.findAttempt(db, state)
    if (invite === undefined || attempt === undefined) throw noSuchState()
    return { invite, attempt }
  }

  return {
    invite: async ({ db, scope, actor, body: { organiseId } }) => {
      if (scope.level > 1) throw forbidden()
      if (alipay.appId === '') throw conflict('尚未配置支付宝应用，请联系平台管理员')
      const organise = orNotFound(await store.findOrganise(db, organiseId))
      if (organise.status === 0) throw conflict('机构已停用')
      return store.addInvite(db, organiseId, actor.userName)
    },

    current: async ({ db, query: { organiseId } }) => {
      const [organise, invite, authorisation] = await Promise.all([
        store.findOrganise(db, organiseId),
        store.liveInvite(db, organiseId),
        store.authorisationOf(db, organiseId),
      ])
      if (organise === undefined) throw notFound()
      return { invite: invite ?? null, authorisation: authorisation ?? null }
    },

    open: async (ctx) => {
      const invite = await store.findInvite(ctx.db, { token: ctx.body.invite })
      if (invite === undefined) throw new Refusal(404, '授权邀请不存在，请核对链接是否完整')
      if (invite.standing === 'revoked' || invite.standing === 'expired') throw deadLink[invite.standing]()
      const attempt = await store.latestAttempt(ctx.db, invite.id)
      return { ...(await progressOf(ctx, invite, attempt)), expiresAt: invite.expires_at }
    },

    submit: async (ctx) => {
      const { db, body } = ctx
      const { invite, attempt } = await ofState(ctx, body.state)
      ctx.auditAs(subjectOf(invite.organise_id))
      // The page may submit twice: the same code with the same state is one request.
      if (attempt.code_hash?.equals(sha256(body.code)) === true) return progressOf(ctx, invite, attempt)
      if (attempt.status !== open) throw conflict('授权请求已使用，请重新打开授权链接')
      if (invite.standing !== 'live') throw deadLink[invite.standing]()
      if (await store.isCodeUsed(db, body.code)) throw conflict('授权码已使用，请重新授权')
      if (!(await store.submitCode(db, attempt.id, body.code, vault.seal(body.code))))
        throw conflict('授权请求已使用，请重新打开授权链接')
      await ctx.enqueue('alipay.exchange', { attemptId: attempt.id })
      return progressOf(ctx, invite, await store.findAttempt(db, body.state))
    },

    progress: async (ctx) => {
      const { invite, attempt } = await ofState(ctx, ctx.body.state)
      return progressOf(ctx, invite, attempt)
    },

    retry: async (ctx) => {
      const { db, body } = ctx
      const { invite, attempt } = await ofState(ctx, body.state)
      ctx.auditAs(subjectOf(invite.organise_id))
      if (invite.standing === 'revoked') throw deadLink.revoked()
      if (!(await store.requeueAttempt(db, attempt.id))) throw conflict('当前无需重新确认')
      await ctx.enqueue('alipay.exchange', { attemptId: attempt.id })
      return progressOf(ctx, invite, await store.findAttempt(db, body.state))
    },
  }
}

export const alipayAuthFeature = defineFeature(alipayAuth, alipayAuthHandlers)
