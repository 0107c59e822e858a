import type { bindPhone } from '@wattdeck/contract/personal/bind-phone.ts'
import { asThemselves } from '../../kit/actor.ts'
import { verifyPassword } from '../../kit/passwords.ts'
import type { Handlers } from '../../kit/handlers.ts'
import { invalid, Refusal } from '../../kit/refusal.ts'
import { issueCode, useCode } from '../../kit/sms-codes.ts'
import { ownAccount, ownPhone, recentCode } from '../own-account.store.ts'

// No store: own-account.store.ts and the code kit hold its queries.
export const bindPhoneHandlers: Handlers<typeof bindPhone> = {
  current: async ({ db, scope, actor }) => ({ phone: await ownPhone(db, scope, actor.userId) }),

  sendCode: async (ctx) => {
    const { db, scope, actor, body } = ctx
    asThemselves(ctx)
    const person = await ownAccount(db, scope, actor.userId)
    if (person.phone === body.phone) throw invalid('新手机号不能与当前手机号相同', 'phone')
    if (await recentCode(db, scope, actor.userId))
      throw new Refusal(429, '验证码已发送，60秒后可重新获取', { retryAfterSeconds: 60 })
    await issueCode(ctx, person, body.phone, 'bind')
    ctx.say('验证码已发送，60秒后可重新获取')
    return null
  },

  bind: async (ctx) => {
    const { db, scope, actor, body } = ctx
    asThemselves(ctx)
    const person = await ownAccount(db, scope, actor.userId)
    if (!(await verifyPassword(person.password_hash, body.password))) throw invalid('密码不正确', 'password')
    const { userId } = await useCode(db, body.phone, 'bind', body.code)
    if (userId !== actor.userId) throw invalid('验证码错误或已过期', 'code')
    // A phone that another account has is refused by the unique index, whichever organisation that is in.
    await db.updateTable('user_account').set({ phone: body.phone }).where('id', '=', actor.userId).execute()
    ctx.say('手机号绑定成功')
    return null
  },
}
