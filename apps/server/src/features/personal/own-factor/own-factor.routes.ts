import { ownFactor } from '@wattdeck/contract/personal/own-factor.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { refuseImpersonation } from '../../../kit/auth/actor.ts'
import { notifyFactorChanged } from '../../../kit/auth/factor-notice.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import type { Deps } from '../../../kit/http/http.ts'
import { countRecoveryCodes, issueRecoveryCodes } from '../../../kit/auth/recovery-codes.ts'
import { conflict, notFound } from '../../../kit/http/refusal.ts'
import { endOtherSessions } from '../../../kit/auth/sessions.ts'
import { assertFreshFactor, recordCredential } from '../../../kit/auth/two-people.ts'
import { ownAccount } from '../_shared/own-account.store.ts'
import * as store from './own-factor.store.ts'

const ownFactorHandlers = (deps: Deps): Handlers<typeof ownFactor> => ({
  read: async ({ db, actor }) => {
    refuseImpersonation({ actor })
    return {
      totpSince: await store.totpSince(db, actor.userId),
      passkeys: await store.listPasskeys(db, actor.userId),
      recoveryCodesLeft: await countRecoveryCodes(db, actor.userId),
      passkeyOffered: deps.relyingParty !== undefined,
    }
  },

  removePasskey: async (ctx) => {
    const { db, actor, body } = ctx
    await assertFreshFactor(ctx)
    const person = await ownAccount(db, actor.userId)
    if (!(await store.removePasskey(db, actor.userId, body.id))) throw notFound()
    const isLast =
      (await store.totpSince(db, actor.userId)) === null && (await store.listPasskeys(db, actor.userId)).length === 0
    if (isLast) throw conflict('须至少保留一种二次验证方式，请先绑定其他方式')
    await recordCredential(db, person, 'secondFactor', actor.userId)
    await endOtherSessions(ctx, deps.sessions)
    await notifyFactorChanged(ctx, person, '通行密钥', [person.phone])
    ctx.setMessage('通行密钥已移除')
    return null
  },

  renewRecoveryCodes: async (ctx) => {
    const { db, actor } = ctx
    await assertFreshFactor(ctx)
    const person = await ownAccount(db, actor.userId)
    return { recoveryCodes: await issueRecoveryCodes(db, person) }
  },
})

export const ownFactorFeature = defineFeature(ownFactor, ownFactorHandlers)
