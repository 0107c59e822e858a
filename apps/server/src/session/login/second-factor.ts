import type { login } from '@wattdeck/contract/session/login.ts'
import { sql } from 'kysely'
import { asThemselves } from '../../kit/actor.ts'
import { tellFactorChanged } from '../../kit/factor-notice.ts'
import {
  countFirst,
  countGuess,
  demandProof,
  forgetGuesses,
  guessKey,
  guessLimit,
  judgePassword,
  lockAccount,
} from '../../kit/guesses.ts'
import type { Deps } from '../../kit/http.ts'
import { type Handlers, prepared } from '../../kit/handlers.ts'
import { conflict, invalid, Refusal } from '../../kit/refusal.ts'
import { endOtherSessions, endOwnSession } from '../../kit/sessions.ts'
import * as store from './login.store.ts'
import { matchingStep, newTotpSecret, totpUri } from './totp.ts'

type Steps = 'secondFactor' | 'startEnrolment' | 'confirmEnrolment'

/** The second factor: proving it at login, and getting it. */
export function secondFactorHandlers(deps: Deps): Pick<Handlers<typeof login>, Steps> {
  return {
    // Counted for the account, not for the session: another login does not buy more guesses.
    secondFactor: prepared({
      prepare: ({ actor }) => countFirst(deps.pool, (db) => countGuess(db, guessKey.secondFactor(actor.userId))),
      handle: async (ctx, guess) => {
        const { db, scope, actor, body } = ctx
        const person = await store.findPerson(db, scope, { id: actor.userId })
        if (actor.stage !== 'secondFactor' || person === undefined || person.totp_secret === null)
          throw invalid('当前无需验证动态口令')
        const step =
          guess === undefined
            ? undefined
            : matchingStep(
                deps.vault.open(person.totp_secret),
                body.code,
                Date.now(),
                Number(person.totp_last_step ?? 0),
              )
        if (guess === undefined || (step === undefined && guess >= guessLimit)) {
          if (guess !== undefined) await lockAccount(db, person, '动态口令')
          await endOwnSession(ctx, deps.sessions)
          throw new Refusal(401, '动态口令错误次数过多，账号已锁定，请30分钟后再试', { keep: true })
        }
        if (step === undefined) throw new Refusal(422, '动态口令错误', { keep: true })
        await forgetGuesses(db, guessKey.secondFactor(person.id))
        await db.updateTable('user_account').set({ totp_last_step: step }).where('id', '=', person.id).execute()
        await endOwnSession(ctx, deps.sessions)
        return store.enter(db, scope, person, true, ctx.request)
      },
    }),

    startEnrolment: prepared({
      prepare: async ({ actor, body }) =>
        actor.stage === 'full' ? judgePassword(deps.pool, actor.userId, body.password ?? '') : undefined,
      handle: async (ctx, proof) => {
        const { db, scope, actor } = ctx
        asThemselves({ actor })
        if (actor.stage !== 'enrol' && actor.stage !== 'full') throw invalid('请先完成登录验证')
        if (proof !== undefined) {
          // Whoever finds an open console must not bind their own phone to it, nor replace what is bound.
          const person = await store.findPerson(db, scope, { id: actor.userId })
          if (person === undefined) throw new Refusal(401, '您还未登录，请先登录！')
          await demandProof(ctx, deps.sessions, person, proof, 'password')
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
    }),

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
      // Sessions that a password alone has opened end.
      await endOtherSessions(ctx, deps.sessions)
      await endOwnSession(ctx, deps.sessions)
      await tellFactorChanged(ctx, person, '动态口令', [person.phone])
      return store.enter(db, scope, person, true, ctx.request)
    },
  }
}
