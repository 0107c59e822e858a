import type { login } from '@wattdeck/contract/auth/login.ts'
import { sql } from 'kysely'
import { refuseImpersonation } from '../../../kit/auth/actor.ts'
import { notifyFactorChanged } from '../../../kit/auth/factor-notice.ts'
import { countFirst, requirePasswordProof, verifyPasswordAgain, type PasswordProof } from '../../../kit/auth/guesses.ts'
import { type Ctx, type Handlers, prepared } from '../../../kit/http/handlers.ts'
import type { Deps } from '../../../kit/http/http.ts'
import { offerRegistration, registerPasskey, takeChallenge } from '../../../kit/auth/passkeys.ts'
import { countRecoveryCodes, issueRecoveryCodes } from '../../../kit/auth/recovery-codes.ts'
import { conflict, invalid, Refusal } from '../../../kit/http/refusal.ts'
import { endOtherSessions, endOwnSession } from '../../../kit/auth/sessions.ts'
import { assertFreshFactor, recordCredential } from '../../../kit/auth/two-people.ts'
import * as store from './login.store.ts'
import { continueLogin } from './open-session.ts'
import { matchingStep, newTotpSecret, totpUri } from './totp.ts'

type Steps = 'startEnrolment' | 'confirmEnrolment' | 'startPasskey' | 'confirmPasskey'
type Doing = Pick<Ctx<never>, 'db' | 'scope' | 'actor' | 'request' | 'afterCommit' | 'enqueue'>

/** Binds a second factor, at a login that requires one or later with the password. */
export function bindFactorHandlers(deps: Deps): Pick<Handlers<typeof login>, Steps> {
  const judge = ({ actor, body }: { actor: Doing['actor']; body: { password?: string | undefined } }) =>
    actor.stage === 'full'
      ? verifyPasswordAgain(deps.pool, actor.userId, body.password ?? '')
      : Promise.resolve(undefined)

  /**
   * A person who finds an open console must not bind their own factor to the account. A user with a factor proves it
   * again, unless a recovery code replaced it in this login.
   */
  async function demandOwner(ctx: Doing, proof: PasswordProof | undefined): Promise<void> {
    refuseImpersonation(ctx)
    const { db, actor } = ctx
    if (actor.stage === 'enrol') return
    if (actor.stage !== 'full' || proof === undefined) throw invalid('请先完成登录验证')
    const person = await ownPerson(ctx)
    await requirePasswordProof(ctx, deps.sessions, person, proof, 'password')
    const { factor } = await store.openingOf(db, actor.sessionId)
    if (store.hasFactor(person) && factor !== 'recovery') await assertFreshFactor(ctx)
  }

  async function ownPerson({ db, actor }: Doing): Promise<store.Person> {
    const person = await store.findPerson(db, { id: actor.userId })
    if (person === undefined) throw new Refusal(401, '您还未登录，请先登录！')
    return person
  }

  /** Ends the sessions opened without the new factor and opens a new one. */
  async function finish(ctx: Doing, factor: 'totp' | 'passkey') {
    const { db, actor } = ctx
    const { openedBy, factor: before } = await store.openingOf(db, actor.sessionId)
    await db.updateTable('user_account').set({ must_bind_factor: false }).where('id', '=', actor.userId).execute()
    const person = await ownPerson(ctx)
    await endOtherSessions(ctx, deps.sessions)
    await endOwnSession(ctx, deps.sessions)
    await recordCredential(db, person, 'secondFactor', actor.userId)
    await notifyFactorChanged(ctx, person, factor === 'totp' ? '动态口令' : '通行密钥', [person.phone])
    const needsCodes = before === 'recovery' || (await countRecoveryCodes(db, person.id)) === 0
    const recoveryCodes = needsCodes ? await issueRecoveryCodes(db, person) : []
    return { ...(await continueLogin(ctx, deps, person, { openedBy, factor, isFactorFresh: true })), recoveryCodes }
  }

  return {
    startEnrolment: prepared({
      prepare: judge,
      handle: async (ctx, proof) => {
        const { db, actor } = ctx
        await demandOwner(ctx, proof)
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
      const { db, actor, body } = ctx
      refuseImpersonation(ctx)
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
      return finish(ctx, 'totp')
    },

    startPasskey: prepared({
      prepare: judge,
      handle: async (ctx, proof) => {
        await demandOwner(ctx, proof)
        if (deps.relyingParty === undefined) throw conflict('当前访问地址不支持通行密钥')
        return { options: await offerRegistration(ctx.db, deps.relyingParty, ctx.actor) }
      },
    }),

    confirmPasskey: prepared({
      prepare: ({ actor }) => countFirst(deps.pool, (db) => takeChallenge(db, actor.sessionId, 'register')),
      handle: async (ctx, challenge) => {
        const { db, body } = ctx
        refuseImpersonation(ctx)
        if (challenge === undefined || deps.relyingParty === undefined) throw invalid('请重新绑定通行密钥')
        const { name, answer } = body
        if (!(await registerPasskey(db, deps.relyingParty, await ownPerson(ctx), { challenge, name, answer })))
          throw invalid('通行密钥验证失败，请重试')
        return finish(ctx, 'passkey')
      },
    }),
  }
}
