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
import { recordCredential } from '../../kit/two-people.ts'
import * as store from './login.store.ts'
import { matchingStep, newTotpSecret, totpUri } from './totp.ts'

type Steps = 'secondFactor' | 'stepUp' | 'startEnrolment' | 'confirmEnrolment'

/** The second factor: proving it at login and before what matters, and getting it. */
export function secondFactorHandlers(deps: Deps): Pick<Handlers<typeof login>, Steps> {
  /** Judges a code whose guess was counted. The last wrong one locks the account and ends the session. */
  async function demandCode(
    ctx: Parameters<typeof endOwnSession>[0],
    person: store.Person,
    guess: number | undefined,
    code: string,
  ): Promise<void> {
    const { db } = ctx
    const secret = deps.vault.open(person.totp_secret ?? '')
    const since = Number(person.totp_last_step ?? 0)
    const step = guess === undefined ? undefined : matchingStep(secret, code, Date.now(), since)
    if (guess === undefined || (step === undefined && guess >= guessLimit)) {
      if (guess !== undefined) await lockAccount(db, person, '动态口令')
      await endOwnSession(ctx, deps.sessions)
      throw new Refusal(401, '动态口令错误次数过多，账号已锁定，请30分钟后再试', { keep: true })
    }
    if (step === undefined) throw new Refusal(422, '动态口令错误', { keep: true, fields: { code: '动态口令错误' } })
    await forgetGuesses(db, guessKey.secondFactor(person.id))
    await db.updateTable('user_account').set({ totp_last_step: step }).where('id', '=', person.id).execute()
  }

  return {
    // Counted for the account, not for the session: another login does not buy more guesses.
    secondFactor: prepared({
      prepare: ({ actor }) => countFirst(deps.pool, (db) => countGuess(db, guessKey.secondFactor(actor.userId))),
      handle: async (ctx, guess) => {
        const { db, scope, actor, body } = ctx
        const person = await store.findPerson(db, scope, { id: actor.userId })
        if (actor.stage !== 'secondFactor' || person === undefined || person.totp_secret === null)
          throw invalid('当前无需验证动态口令')
        await demandCode(ctx, person, guess, body.code)
        await endOwnSession(ctx, deps.sessions)
        return store.enter(db, scope, person, true, ctx.request)
      },
    }),

    stepUp: prepared({
      prepare: ({ actor }) => countFirst(deps.pool, (db) => countGuess(db, guessKey.secondFactor(actor.userId))),
      handle: async (ctx, guess) => {
        const { db, scope, actor, body } = ctx
        asThemselves({ actor })
        const person = await store.findPerson(db, scope, { id: actor.userId })
        if (person === undefined) throw new Refusal(401, '您还未登录，请先登录！')
        if (person.totp_secret === null) throw conflict('您还未绑定动态口令，请先在「个人中心-基本信息」中绑定')
        await demandCode(ctx, person, guess, body.code)
        await db
          .updateTable('session')
          .set({ factor_at: sql<string>`now()` })
          .where('id', '=', actor.sessionId)
          .execute()
        return null
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
      await recordCredential(db, person, 'secondFactor', actor.userId)
      await tellFactorChanged(ctx, person, '动态口令', [person.phone])
      return store.enter(db, scope, person, true, ctx.request)
    },
  }
}
