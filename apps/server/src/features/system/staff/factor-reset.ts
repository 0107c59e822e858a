import type { staff } from '@wattdeck/contract/system/staff.ts'
import { looksPersonal } from '@wattdeck/contract/kit/view-problem.ts'
import { notifyFactorChanged } from '../../../kit/auth/factor-notice.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import type { Deps } from '../../../kit/http/http.ts'
import { conflict, invalid } from '../../../kit/http/refusal.ts'
import { endSessions } from '../../../kit/auth/sessions.ts'
import { assertDifferentPerson, assertNotLinked, recordCredential } from '../../../kit/auth/two-people.ts'
import * as accounts from '../_shared/accounts.ts'
import * as store from './staff.store.ts'

type Steps = 'askFactorReset' | 'approveFactorReset' | 'declineFactorReset'

/** A lost second factor is reset by two people (maker-checker). Neither of them may also set the password or the phone. */
export function factorResetHandlers(deps: Deps): Pick<Handlers<typeof staff>, Steps> {
  return {
    askFactorReset: async (ctx) => {
      const { db, actor, body } = ctx
      accounts.assertNotSelf(actor, body.id)
      const person = await accounts.requireManageable(ctx, body.id)
      if (looksPersonal(body.reason)) throw invalid('原因中请勿填写手机号等个人信息', 'reason')
      if (!(await store.isFactorBound(db, body.id))) throw conflict('该账号未绑定二次验证')
      if ((await store.findFactorReset(db, body.id)) !== undefined) throw conflict('该账号已有待审批的重置申请')
      await store.addFactorReset(db, person, { askedBy: actor.userId, reason: body.reason })
      await accounts.publishAccountChange(db, [person])
      ctx.setAuditDetail(`账号${person.login_name}，原因：${body.reason}`)
      ctx.setMessage('申请已提交，须由其他人审批')
      return null
    },

    approveFactorReset: async (ctx) => {
      const { db, actor, body } = ctx
      accounts.assertNotSelf(actor, body.id)
      const person = await accounts.requireManageable(ctx, body.id)
      const request = await store.findFactorReset(db, body.id)
      if (request === undefined) throw conflict('没有待审批的重置申请')
      await assertDifferentPerson(ctx, request.asked_by, '不能审批自己提交的申请')
      for (const one of [request.asked_by, actor.userId])
        await assertNotLinked(ctx, person.id, one, '申请人或审批人24小时内变更过该账号的凭据，须由其他人处理')
      await store.decideFactorReset(db, request.id, {
        status: store.factorResetStatus.approved,
        decidedBy: actor.userId,
      })
      await store.dropFactors(db, person.id)
      await recordCredential(db, person, 'secondFactor', request.asked_by)
      await recordCredential(db, person, 'secondFactor', actor.userId)
      await endSessions(ctx, deps.sessions, [person.id])
      await notifyFactorChanged(ctx, person, '二次验证', [person.phone])
      await accounts.publishAccountChange(db, [person])
      ctx.setAuditDetail(`账号${person.login_name}`)
      return null
    },

    declineFactorReset: async (ctx) => {
      const { db, actor, body } = ctx
      const person = await accounts.requireManageable(ctx, body.id)
      const request = await store.findFactorReset(db, body.id)
      if (request === undefined) throw conflict('没有待审批的重置申请')
      await store.decideFactorReset(db, request.id, {
        status: store.factorResetStatus.declined,
        decidedBy: actor.userId,
      })
      await accounts.publishAccountChange(db, [person])
      ctx.setAuditDetail(`账号${person.login_name}`)
      return null
    },
  }
}
