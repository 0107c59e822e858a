import { changePassword } from '@wattdeck/contract/personal/change-password.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { refuseImpersonation } from '../../../kit/auth/actor.ts'
import { notifyFactorChanged } from '../../../kit/auth/factor-notice.ts'
import { requirePasswordProof, verifyPasswordAgain } from '../../../kit/auth/guesses.ts'
import { type Handlers, prepared } from '../../../kit/http/handlers.ts'
import type { Deps } from '../../../kit/http/http.ts'
import { choosePassword } from '../../../kit/auth/passwords.ts'
import { endSessions } from '../../../kit/auth/sessions.ts'
import { ownAccount } from '../_shared/own-account.store.ts'

// No store: the password kit and own-account.store.ts hold its queries.
const changePasswordHandlers = (deps: Deps): Handlers<typeof changePassword> => ({
  change: prepared({
    prepare: ({ actor, body }) => verifyPasswordAgain(deps.pool, actor.userId, body.oldPassword),
    handle: async (ctx, proof) => {
      const { db, actor, body } = ctx
      refuseImpersonation(ctx)
      const person = await ownAccount(db, actor.userId)
      await requirePasswordProof(ctx, deps.sessions, person, proof, 'oldPassword')
      await choosePassword(db, person, body.newPassword)
      await endSessions(ctx, deps.sessions, [actor.userId])
      await notifyFactorChanged(ctx, person, '密码', [person.phone])
      ctx.setMessage('密码修改成功，请重新登录')
      return null
    },
  }),
})

export const changePasswordFeature = defineFeature(changePassword, changePasswordHandlers)
