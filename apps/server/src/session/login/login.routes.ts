import type { login } from '@wattdeck/contract/session/login.ts'
import type { Deps } from '../../kit/http.ts'
import { attemptsSoFar, countAttempt } from '../../kit/attempts.ts'
import type { Handlers } from '../../kit/handlers.ts'
import { notify } from '../../kit/outbox.ts'
import { choosePassword, verifyPassword } from '../../kit/passwords.ts'
import { invalid, Refusal } from '../../kit/refusal.ts'
import { endSessions } from '../../kit/sessions.ts'
import { issueCode, useCode } from '../../kit/sms-codes.ts'
import { sha256 } from '../../kit/tokens.ts'
import { drawCaptcha, newCaptchaAnswer } from './captcha.ts'
import * as store from './login.store.ts'
import { secondFactorHandlers } from './second-factor.ts'

const captchaAfter = 3
const locksAt = 5
const lockSeconds = 1800

const wrongPassword = (captchaNext: boolean) =>
  new Refusal(401, captchaNext ? '账号或密码错误;请输入图形验证码' : '账号或密码错误', { keep: true })
const lockedOut = () => new Refusal(401, '密码错误次数过多，账号已锁定，请30分钟后再试', { keep: true })

export function loginHandlers(deps: Deps): Handlers<typeof login> {
  return {
    captcha: async ({ db, scope }) => {
      const answer = newCaptchaAnswer()
      return { captchaId: await store.keepCaptcha(db, scope, answer), image: await drawCaptcha(answer) }
    },

    // A name that nobody has is treated like one that somebody has: same words, same captcha, same lock, same time.
    byPassword: async (ctx) => {
      const { db, scope, body } = ctx
      const person = await store.findPerson(db, scope, { name: body.loginName })
      const ghost = `ghost:${sha256(body.loginName).toString('base64')}`
      if (person !== undefined) ctx.auditAs(store.subjectOf(person))
      const failures = person?.failed_logins ?? (await attemptsSoFar(db, ghost))
      if (person?.locked === true || failures >= locksAt) {
        await verifyPassword(undefined, body.password)
        throw lockedOut()
      }
      if (failures >= captchaAfter && !(await store.takeCaptcha(db, scope, body.captchaId, body.captchaCode))) {
        throw new Refusal(
          422,
          body.captchaCode === undefined ? '请输入图形验证码' : '图形验证码错误;请输入图形验证码',
          { keep: true },
        )
      }
      if (!(await verifyPassword(person?.password_hash, body.password)) || person === undefined) {
        const locked =
          person === undefined
            ? (await countAttempt(db, ghost, lockSeconds)) >= locksAt
            : (await store.countFailure(db, scope, person, locksAt)).locked
        if (locked && person !== undefined) {
          await notify(
            db,
            { ...person, userId: person.id },
            { type: 3, title: '账号安全', body: '您的账号因连续输错密码被锁定30分钟' },
          )
        }
        throw locked ? lockedOut() : wrongPassword(failures + 1 >= captchaAfter)
      }
      if (!person.enabled) throw new Refusal(401, '账号已停用，请联系管理员', { keep: true })
      return store.enter(db, scope, person, false, ctx.request)
    },

    sendSmsCode: async (ctx) => {
      const { db, scope, body } = ctx
      if (!(await store.takeCaptcha(db, scope, body.captchaId, body.captchaCode)))
        throw new Refusal(422, '图形验证码错误', { keep: true })
      if ((await countAttempt(db, `sms:${body.phone}`, 60)) > 1)
        throw new Refusal(429, '验证码已发送，60秒后可重新获取', { retryAfterSeconds: 60, keep: true })
      if ((await countAttempt(db, `sms-day:${body.phone}`, 86_400)) > 10)
        throw new Refusal(429, '今日获取验证码次数过多，请明天再试', { keep: true })
      const person = await store.findPerson(db, scope, { phone: body.phone })
      if (person !== undefined) ctx.auditAs(store.subjectOf(person))
      // Nobody learns here whether a phone belongs to an account.
      if (person?.enabled === true) await issueCode(ctx, person, body.phone, body.purpose)
      ctx.say('验证码已发送，60秒后可重新获取')
      return null
    },

    bySms: async (ctx) => {
      const { db, scope, body } = ctx
      const { userId } = await useCode(db, body.phone, 'login', body.code)
      const person = await store.findPerson(db, scope, { id: userId })
      if (person?.enabled !== true) throw new Refusal(401, '账号已停用，请联系管理员', { keep: true })
      ctx.auditAs(store.subjectOf(person))
      if (person.locked) throw lockedOut()
      return store.enter(db, scope, person, false, ctx.request)
    },

    byTicket: async (ctx) => {
      const { db, scope, body } = ctx
      const ticket = await store.useTicket(db, scope, body.ticket)
      const person = ticket === undefined ? undefined : await store.findPerson(db, scope, { id: ticket.user_id })
      if (ticket === undefined || person?.enabled !== true) throw new Refusal(401, '登录链接无效或已过期')
      ctx.auditAs(store.subjectOf(person))
      return {
        access_token: await store.openSession(db, scope, person, 'full', { ...ctx.request, actedBy: ticket.issued_by }),
        stage: 'full',
      }
    },

    resetPassword: async (ctx) => {
      const { db, scope, body } = ctx
      const { userId } = await useCode(db, body.phone, 'reset', body.code)
      const person = await store.findPerson(db, scope, { id: userId })
      if (person?.enabled !== true) throw new Refusal(401, '账号已停用，请联系管理员', { keep: true })
      ctx.auditAs(store.subjectOf(person))
      await choosePassword(db, person, body.newPassword)
      await endSessions(ctx, deps.sessions, [person.id])
      ctx.say('密码已重置，请重新登录')
      return null
    },

    renewPassword: async (ctx) => {
      const { db, scope, actor, body } = ctx
      if (actor.stage !== 'password') throw invalid('当前无需更换密码')
      const person = await store.findPerson(db, scope, { id: actor.userId })
      if (person === undefined || !(await verifyPassword(person.password_hash, body.oldPassword)))
        throw invalid('原密码不正确', 'oldPassword')
      await choosePassword(db, person, body.newPassword)
      await store.endSession(db, scope, actor.sessionId)
      return { access_token: await store.openSession(db, scope, person, 'full', ctx.request), stage: 'full' }
    },

    logout: async (ctx) => {
      await store.endSession(ctx.db, ctx.scope, ctx.actor.sessionId)
      ctx.afterCommit(() => deps.sessions.forget([sha256(ctx.request.token)]))
      ctx.say('已安全退出')
      return null
    },

    ...secondFactorHandlers(deps),
  }
}
