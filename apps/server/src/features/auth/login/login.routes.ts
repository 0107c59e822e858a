import { login } from '@wattdeck/contract/auth/login.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Deps } from '../../../kit/http/http.ts'
import { countAttempt } from '../../../kit/auth/attempts.ts'
import {
  countFirst,
  requirePasswordProof,
  clearGuesses,
  guessLimit,
  verifyPasswordAgain,
  lockAccount,
} from '../../../kit/auth/guesses.ts'
import { notifyFactorChanged } from '../../../kit/auth/factor-notice.ts'
import { type Handlers, prepared } from '../../../kit/http/handlers.ts'
import { assertStrong, choosePassword, verifyPassword } from '../../../kit/auth/passwords.ts'
import { invalid, Refusal } from '../../../kit/http/refusal.ts'
import { endOwnSession, endSessions } from '../../../kit/auth/sessions.ts'
import { countTry, issueCode, useCode } from '../../../kit/auth/sms-codes.ts'
import { recordCredential } from '../../../kit/auth/two-people.ts'
import { bindFactorHandlers } from './bind-factor.ts'
import { drawCaptcha, newCaptchaAnswer } from './captcha.ts'
import * as store from './login.store.ts'
import { continueLogin, openSession } from './open-session.ts'
import { secondFactorHandlers } from './second-factor.ts'

const wrongPassword = (captchaNext: boolean) =>
  new Refusal(401, captchaNext ? '账号或密码错误;请输入图形验证码' : '账号或密码错误', { keep: true })
const lockedOut = () => new Refusal(401, '密码错误次数过多，账号已锁定，请30分钟后再试', { keep: true })

function loginHandlers(deps: Deps): Handlers<typeof login> {
  return {
    captcha: async ({ db }) => {
      const answer = newCaptchaAnswer()
      return { captchaId: await store.saveCaptcha(db, answer), image: await drawCaptcha(answer) }
    },

    // An unknown login name gets the same replies, captcha, lock and timing as an existing one.
    byPassword: prepared({
      prepare: ({ body }) => countFirst(deps.pool, (db) => store.countLogin(db, body)),
      handle: async (ctx, { key, guess, needsCaptcha, isLocked }) => {
        const { db, body } = ctx
        const person = await store.findPerson(db, { name: body.loginName })
        if (person !== undefined) ctx.auditAs(store.subjectOf(person))
        if (guess === undefined && needsCaptcha)
          throw new Refusal(
            422,
            body.captchaCode === undefined ? '请输入图形验证码' : '图形验证码错误;请输入图形验证码',
            { keep: true },
          )
        if (isLocked || guess === undefined || person?.locked === true) {
          await verifyPassword(undefined, body.password)
          throw lockedOut()
        }
        if (!(await verifyPassword(person?.password_hash, body.password)) || person === undefined) {
          if (guess < guessLimit) throw wrongPassword(guess >= store.captchaAfter)
          if (person !== undefined) await lockAccount(db, person, '密码')
          throw lockedOut()
        }
        await clearGuesses(db, key)
        if (!person.enabled) throw new Refusal(401, '账号已停用，请联系管理员', { keep: true })
        if (person.first_password_ended)
          throw new Refusal(401, '初始密码已失效，请通过短信重置密码或联系管理员', { keep: true })
        if (person.must_change_password) await store.endFirstPassword(db, person)
        return continueLogin(ctx, deps, person, { openedBy: 'password' })
      },
    }),

    sendSmsCode: async (ctx) => {
      const { db, body } = ctx
      if (!(await store.consumeCaptcha(db, body.captchaId, body.captchaCode)))
        throw new Refusal(422, '图形验证码错误', { keep: true })
      if ((await countAttempt(db, `sms:${body.phone}`, 60)) > 1)
        throw new Refusal(429, '验证码已发送，60秒后可重新获取', { retryAfterSeconds: 60, keep: true })
      if ((await countAttempt(db, `sms-day:${body.phone}`, 86_400)) > 10)
        throw new Refusal(429, '今日获取验证码次数过多，请明天再试', { keep: true })
      const person = await store.findPerson(db, { phone: body.phone })
      if (person !== undefined) ctx.auditAs(store.subjectOf(person))
      // The reply does not reveal whether a phone belongs to an account.
      if (person?.enabled === true) await issueCode(ctx, person, body.phone, body.purpose)
      ctx.setMessage('验证码已发送，60秒后可重新获取')
      return null
    },

    bySms: prepared({
      prepare: ({ body }) => countFirst(deps.pool, (db) => countTry(db, body.phone, 'login')),
      handle: async (ctx, codeId) => {
        const { db, body } = ctx
        const { ownerId: userId } = await useCode(db, codeId, 'login', body)
        const person = await store.findPerson(db, { id: userId })
        if (person?.enabled !== true) throw new Refusal(401, '账号已停用，请联系管理员', { keep: true })
        ctx.auditAs(store.subjectOf(person))
        if (person.locked) throw lockedOut()
        return continueLogin(ctx, deps, person, { openedBy: 'sms' })
      },
    }),

    byTicket: async (ctx) => {
      const { db, body } = ctx
      const ticket = await store.useTicket(db, body.ticket)
      const person = ticket === undefined ? undefined : await store.findPerson(db, { id: ticket.user_id })
      if (ticket === undefined || person?.enabled !== true) throw new Refusal(401, '登录链接无效或已过期')
      ctx.auditAs(store.subjectOf(person))
      return openSession(ctx, deps, person, 'full', { openedBy: 'link', actedBy: ticket.issued_by })
    },

    resetPassword: prepared({
      prepare: async ({ body }) => {
        // Checked before the code: the error for a weak password would otherwise confirm the code.
        assertStrong(body.newPassword)
        return countFirst(deps.pool, (db) => countTry(db, body.phone, 'reset'))
      },
      handle: async (ctx, codeId) => {
        const { db, body } = ctx
        const { ownerId: userId } = await useCode(db, codeId, 'reset', body)
        const person = await store.findPerson(db, { id: userId })
        if (person?.enabled !== true) throw new Refusal(401, '账号已停用，请联系管理员', { keep: true })
        ctx.auditAs(store.subjectOf(person))
        await choosePassword(db, person, body.newPassword)
        await endSessions(ctx, deps.sessions, [person.id])
        await recordCredential(db, person, 'password', person.id)
        await notifyFactorChanged(ctx, person, '密码', [person.phone])
        ctx.setMessage('密码已重置，请重新登录')
        return null
      },
    }),

    renewPassword: prepared({
      prepare: ({ actor, body }) => verifyPasswordAgain(deps.pool, actor.userId, body.oldPassword),
      handle: async (ctx, proof) => {
        const { db, actor, body } = ctx
        if (actor.stage !== 'password') throw invalid('当前无需更换密码')
        const person = await store.findPerson(db, { id: actor.userId })
        if (person === undefined) throw new Refusal(401, '您还未登录，请先登录！')
        await requirePasswordProof(ctx, deps.sessions, person, proof, 'oldPassword')
        await choosePassword(db, person, body.newPassword)
        await endOwnSession(ctx, deps.sessions)
        return openSession(ctx, deps, person, 'full', await store.openingOf(db, actor.sessionId))
      },
    }),

    logout: async (ctx) => {
      await endOwnSession(ctx, deps.sessions)
      ctx.setMessage('已安全退出')
      return null
    },

    ...secondFactorHandlers(deps),
    ...bindFactorHandlers(deps),
  }
}

export const loginFeature = defineFeature(login, loginHandlers)
