import type { login } from '@wattdeck/contract/auth/login.ts'
import { sql } from 'kysely'
import { refuseImpersonation } from '../../../kit/auth/actor.ts'
import type { Db } from '../../../kit/db/db.ts'
import { notifyRecoveryCodeUsed } from '../../../kit/auth/factor-notice.ts'
import { countFirst, countGuess, clearGuesses, guessKey, guessLimit, lockAccount } from '../../../kit/auth/guesses.ts'
import { type Ctx, type Handlers, prepared } from '../../../kit/http/handlers.ts'
import type { Deps } from '../../../kit/http/http.ts'
import { offerProof, provePasskey, takeChallenge } from '../../../kit/auth/passkeys.ts'
import { countRecoveryCodes, useRecoveryCode } from '../../../kit/auth/recovery-codes.ts'
import { conflict, invalid, Refusal } from '../../../kit/http/refusal.ts'
import { endOwnSession } from '../../../kit/auth/sessions.ts'
import * as store from './login.store.ts'
import { continueLogin } from './open-session.ts'
import { matchingStep } from './totp.ts'

type Steps =
  | 'factors'
  | 'secondFactor'
  | 'stepUp'
  | 'recover'
  | 'passkeyChallenge'
  | 'secondFactorByPasskey'
  | 'stepUpByPasskey'
type Doing = Pick<Ctx<never>, 'db' | 'scope' | 'actor' | 'request' | 'afterCommit' | 'enqueue'>
type Guess = number | undefined

/** Proves the second factor, at login and before sensitive actions. */
export function secondFactorHandlers(deps: Deps): Pick<Handlers<typeof login>, Steps> {
  // Counted per account, not per session: another login does not allow more guesses.
  const guessAt = (userId: string) => countFirst(deps.pool, (db) => countGuess(db, guessKey.secondFactor(userId)))
  const guessWithChallenge = async ({ userId, sessionId }: { userId: string; sessionId: string }) => ({
    guess: await guessAt(userId),
    challenge: await countFirst(deps.pool, (db) => takeChallenge(db, sessionId, 'prove')),
  })

  /** Evaluates a proof whose guess was counted. The last wrong one locks the account and ends the session. */
  async function demand(ctx: Doing, person: store.Person, guess: Guess, what: string, prove: () => Promise<boolean>) {
    const isProven = guess !== undefined && (await prove())
    if (guess === undefined || (!isProven && guess >= guessLimit)) {
      if (guess !== undefined) await lockAccount(ctx.db, person, '二次验证')
      await endOwnSession(ctx, deps.sessions)
      throw new Refusal(401, `${what}错误次数过多，账号已锁定，请30分钟后再试`, { keep: true })
    }
    if (!isProven) throw new Refusal(422, `${what}错误`, { keep: true, fields: { code: `${what}错误` } })
    await clearGuesses(ctx.db, guessKey.secondFactor(person.id))
  }

  const demandCode = (ctx: Doing, person: store.Person, guess: Guess, code: string) =>
    demand(ctx, person, guess, '动态口令', () => proveCode(ctx.db, person, code))

  async function proveCode(db: Db, person: store.Person, code: string): Promise<boolean> {
    if (person.totp_secret === null) return false
    const secret = deps.vault.open(person.totp_secret)
    const step = matchingStep(secret, code, Date.now(), Number(person.totp_last_step ?? 0))
    if (step === undefined) return false
    await db.updateTable('user_account').set({ totp_last_step: step }).where('id', '=', person.id).execute()
    return true
  }

  const demandPasskey = (
    ctx: Doing,
    person: store.Person,
    { guess, challenge }: { guess: Guess; challenge: string | undefined },
    answer: string,
  ) =>
    demand(ctx, person, guess, '通行密钥验证', async () => {
      if (deps.relyingParty === undefined || challenge === undefined) return false
      return provePasskey(ctx.db, deps.relyingParty, person.id, { challenge, answer })
    })

  async function ownPerson({ db, actor }: Doing): Promise<store.Person> {
    const person = await store.findPerson(db, { id: actor.userId })
    if (person === undefined) throw new Refusal(401, '您还未登录，请先登录！')
    return person
  }

  /** The person of a login that waits for its second factor. */
  async function loggingIn(ctx: Doing): Promise<store.Person> {
    if (ctx.actor.stage !== 'secondFactor') throw invalid('当前无需二次验证')
    return ownPerson(ctx)
  }

  async function goOn(ctx: Doing, person: store.Person, factor: 'totp' | 'passkey' | 'recovery') {
    const { openedBy } = await store.openingOf(ctx.db, ctx.actor.sessionId)
    await endOwnSession(ctx, deps.sessions)
    return continueLogin(ctx, deps, person, { openedBy, factor, isFactorFresh: factor !== 'recovery' })
  }

  async function steppingUp(ctx: Doing): Promise<store.Person> {
    refuseImpersonation(ctx)
    const person = await ownPerson(ctx)
    if (!store.hasFactor(person)) throw conflict('您还未绑定二次验证，请先在「个人中心-基本信息」中绑定')
    return person
  }

  async function markProven({ db, actor }: Doing): Promise<null> {
    await db
      .updateTable('session')
      .set({ factor_at: sql<string>`now()` })
      .where('id', '=', actor.sessionId)
      .execute()
    return null
  }

  return {
    factors: async ({ db, actor }) => {
      const bound = await store.boundFactors(db, actor.userId)
      const recoveryCode = (await countRecoveryCodes(db, actor.userId)) > 0
      return { ...bound, recoveryCode, passkeyOffered: deps.relyingParty !== undefined }
    },

    secondFactor: prepared({
      prepare: ({ actor }) => guessAt(actor.userId),
      handle: async (ctx, guess) => {
        const person = await loggingIn(ctx)
        await demandCode(ctx, person, guess, ctx.body.code)
        return goOn(ctx, person, 'totp')
      },
    }),

    secondFactorByPasskey: prepared({
      prepare: ({ actor }) => guessWithChallenge(actor),
      handle: async (ctx, attempt) => {
        const person = await loggingIn(ctx)
        await demandPasskey(ctx, person, attempt, ctx.body.answer)
        return goOn(ctx, person, 'passkey')
      },
    }),

    recover: prepared({
      prepare: ({ actor }) => guessAt(actor.userId),
      handle: async (ctx, guess) => {
        const person = await loggingIn(ctx)
        await demand(ctx, person, guess, '恢复码', () => useRecoveryCode(ctx.db, person.id, ctx.body.code))
        await notifyRecoveryCodeUsed(ctx, person, await countRecoveryCodes(ctx.db, person.id))
        return goOn(ctx, person, 'recovery')
      },
    }),

    stepUp: prepared({
      prepare: ({ actor }) => guessAt(actor.userId),
      handle: async (ctx, guess) => {
        await demandCode(ctx, await steppingUp(ctx), guess, ctx.body.code)
        return markProven(ctx)
      },
    }),

    stepUpByPasskey: prepared({
      prepare: ({ actor }) => guessWithChallenge(actor),
      handle: async (ctx, attempt) => {
        await demandPasskey(ctx, await steppingUp(ctx), attempt, ctx.body.answer)
        return markProven(ctx)
      },
    }),

    passkeyChallenge: async (ctx) => {
      refuseImpersonation(ctx)
      if (ctx.actor.stage !== 'secondFactor' && ctx.actor.stage !== 'full') throw invalid('当前无需二次验证')
      if (deps.relyingParty === undefined || !(await ownPerson(ctx)).has_passkey) throw conflict('您还未绑定通行密钥')
      return { options: await offerProof(ctx.db, deps.relyingParty, ctx.actor) }
    },
  }
}
