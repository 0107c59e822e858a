import type { login } from '@wattdeck/contract/session/login.ts'
import { sql } from 'kysely'
import { asThemselves } from '../../kit/actor.ts'
import type { Deps } from '../../kit/http.ts'
import type { Handlers } from '../../kit/handlers.ts'
import { verifyPassword } from '../../kit/passwords.ts'
import { conflict, invalid, Refusal } from '../../kit/refusal.ts'
import * as store from './login.store.ts'
import { matchingStep, newTotpSecret, totpUri } from './totp.ts'

const maxTries = 5
type Steps = 'secondFactor' | 'startEnrolment' | 'confirmEnrolment'

/** The second factor: proving it at login, and getting it. */
export function secondFactorHandlers(deps: Deps): Pick<Handlers<typeof login>, Steps> {
  return {
    secondFactor: async (ctx) => {
      const { db, scope, actor, body } = ctx
      const person = await store.findPerson(db, scope, { id: actor.userId })
      if (actor.stage !== 'secondFactor' || person === undefined || person.totp_secret === null)
        throw invalid('当前无需验证动态口令')
      const tried = await db
        .updateTable('session')
        .set({ second_factor_tries: sql<number>`second_factor_tries + 1` })
        .where('id', '=', actor.sessionId)
        .where('ended_at', 'is', null)
        .returning('second_factor_tries')
        .executeTakeFirst()
      const step = matchingStep(
        deps.vault.open(person.totp_secret),
        body.code,
        Date.now(),
        Number(person.totp_last_step ?? 0),
      )
      if (tried === undefined || tried.second_factor_tries > maxTries) {
        await store.endSession(db, scope, actor.sessionId)
        throw new Refusal(401, '动态口令错误次数过多，请重新登录', { keep: true })
      }
      if (step === undefined) throw new Refusal(422, '动态口令错误', { keep: true })
      await db.updateTable('user_account').set({ totp_last_step: step }).where('id', '=', person.id).execute()
      await store.endSession(db, scope, actor.sessionId)
      return store.enter(db, scope, person, true, ctx.request)
    },

    startEnrolment: async ({ db, scope, actor, body }) => {
      asThemselves({ actor })
      if (actor.stage !== 'enrol' && actor.stage !== 'full') throw invalid('请先完成登录验证')
      if (actor.stage === 'full') {
        // Whoever finds an open console must not bind their own phone to it, nor replace what is bound.
        const person = await store.findPerson(db, scope, { id: actor.userId })
        if (person === undefined || !(await verifyPassword(person.password_hash, body.password ?? '')))
          throw invalid('密码不正确', 'password')
        if (person.totp_secret !== null) throw conflict('已绑定动态口令')
      }
      const secret = newTotpSecret()
      await db
        .updateTable('session')
        .set({ pending_totp_secret: deps.vault.seal(secret) })
        .where('id', '=', actor.sessionId)
        .execute()
      return { secret, uri: totpUri(secret, actor.loginName) }
    },

    confirmEnrolment: async (ctx) => {
      const { db, scope, actor, body } = ctx
      asThemselves({ actor })
      const pending = await db
        .selectFrom('session')
        .select('pending_totp_secret')
        .where('id', '=', actor.sessionId)
        .executeTakeFirst()
      if (pending?.pending_totp_secret == null) throw invalid('请先申请绑定动态口令')
      const step = matchingStep(deps.vault.open(pending.pending_totp_secret), body.code, Date.now(), 0)
      if (step === undefined) throw invalid('动态口令错误', 'code')
      await db
        .updateTable('user_account')
        .set({ totp_secret: pending.pending_totp_secret, totp_since: sql<string>`now()`, totp_last_step: step })
        .where('id', '=', actor.userId)
        .execute()
      const person = await store.findPerson(db, scope, { id: actor.userId })
      if (person === undefined) throw new Refusal(401, '您还未登录，请先登录！')
      await store.endSession(db, scope, actor.sessionId)
      return store.enter(db, scope, person, true, ctx.request)
    },
  }
}
