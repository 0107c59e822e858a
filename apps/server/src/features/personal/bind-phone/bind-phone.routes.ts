import { bindPhone } from '@wattdeck/contract/personal/bind-phone.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { refuseImpersonation } from '../../../kit/auth/actor.ts'
import { countAttempt } from '../../../kit/auth/attempts.ts'
import { notifyFactorChanged } from '../../../kit/auth/factor-notice.ts'
import { countFirst, requirePasswordProof, verifyPasswordAgain } from '../../../kit/auth/guesses.ts'
import { type Handlers, prepared } from '../../../kit/http/handlers.ts'
import type { Deps } from '../../../kit/http/http.ts'
import { invalid, Refusal } from '../../../kit/http/refusal.ts'
import { endOtherSessions } from '../../../kit/auth/sessions.ts'
import { countTry, dropCodes, issueCode, useCode } from '../../../kit/auth/sms-codes.ts'
import { recordCredential } from '../../../kit/auth/two-people.ts'
import { ownAccount, ownPhone, recentCode } from '../_shared/own-account.store.ts'

const codesADay = 10
const daySeconds = 86_400

// No store: own-account.store.ts and the code kit hold its queries.
const bindPhoneHandlers = (deps: Deps): Handlers<typeof bindPhone> => ({
  current: async ({ db, actor }) => ({ phone: await ownPhone(db, actor.userId) }),

  sendCode: prepared({
    prepare: ({ actor, body }) =>
      countFirst(deps.pool, async (db) => ({
        toPhone: await countAttempt(db, `sms-day:${body.phone}`, daySeconds),
        byPerson: await countAttempt(db, `sms-day:of:${actor.userId}`, daySeconds),
      })),
    handle: async (ctx, { toPhone, byPerson }) => {
      const { db, actor, body } = ctx
      refuseImpersonation(ctx)
      const person = await ownAccount(db, actor.userId)
      if (person.phone === body.phone) throw invalid('新手机号不能与当前手机号相同', 'phone')
      if (await recentCode(db, actor.userId))
        throw new Refusal(429, '验证码已发送，60秒后可重新获取', { retryAfterSeconds: 60 })
      // Neither one person nor all together send one phone more than these.
      if (Math.max(toPhone, byPerson) > codesADay) throw new Refusal(429, '今日获取验证码次数过多，请明天再试')
      await issueCode(ctx, person, body.phone, 'bind')
      ctx.setMessage('验证码已发送，60秒后可重新获取')
      return null
    },
  }),

  bind: prepared({
    prepare: async ({ actor, body }) => ({
      proof: await verifyPasswordAgain(deps.pool, actor.userId, body.password),
      codeId: await countFirst(deps.pool, (db) => countTry(db, body.phone, 'bind')),
    }),
    handle: async (ctx, { proof, codeId }) => {
      const { db, actor, body } = ctx
      refuseImpersonation(ctx)
      const person = await ownAccount(db, actor.userId)
      await requirePasswordProof(ctx, deps.sessions, person, proof, 'password')
      const { ownerId } = await useCode(db, codeId, 'bind', body)
      if (ownerId !== actor.userId) throw invalid('验证码错误或已过期', 'code')
      // A phone that another account has is refused by the unique index, whichever organisation that is in.
      await db.updateTable('user_account').set({ phone: body.phone }).where('id', '=', actor.userId).execute()
      await recordCredential(db, person, 'phone', actor.userId)
      await dropCodes(db, actor.userId)
      await endOtherSessions(ctx, deps.sessions)
      await notifyFactorChanged(ctx, person, '手机号', [person.phone, body.phone])
      ctx.setMessage('手机号绑定成功')
      return null
    },
  }),
})

export const bindPhoneFeature = defineFeature(bindPhone, bindPhoneHandlers)
