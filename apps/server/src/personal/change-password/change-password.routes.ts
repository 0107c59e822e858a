import type { changePassword } from '@wattdeck/contract/personal/change-password.ts'
import { asThemselves } from '../../kit/actor.ts'
import type { Handlers } from '../../kit/handlers.ts'
import type { Deps } from '../../kit/http.ts'
import { ownAccount } from '../own-account.store.ts'
import { choosePassword, verifyPassword } from '../../kit/passwords.ts'
import { invalid } from '../../kit/refusal.ts'
import { endSessions } from '../../kit/sessions.ts'

// No store: the password kit and own-account.store.ts hold its queries.
export const changePasswordHandlers = (deps: Deps): Handlers<typeof changePassword> => ({
  change: async (ctx) => {
    const { db, scope, actor, body } = ctx
    asThemselves(ctx)
    const person = await ownAccount(db, scope, actor.userId)
    if (!(await verifyPassword(person.password_hash, body.oldPassword))) throw invalid('原密码不正确', 'oldPassword')
    await choosePassword(db, person, body.newPassword)
    await endSessions(ctx, deps.sessions, [actor.userId])
    ctx.say('密码修改成功，请重新登录')
    return null
  },
})
