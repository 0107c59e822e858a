import { ownSession } from '@wattdeck/contract/personal/own-session.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { refuseImpersonation } from '../../../kit/auth/actor.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import type { Deps } from '../../../kit/http/http.ts'
import { conflict, orNotFound } from '../../../kit/http/refusal.ts'
import { endOtherSessions } from '../../../kit/auth/sessions.ts'
import * as store from './own-session.store.ts'

const ownSessionHandlers = (deps: Deps): Handlers<typeof ownSession> => ({
  list: async ({ db, actor }) => {
    refuseImpersonation({ actor })
    return store.listOwnSessions(db, actor)
  },

  end: async ({ db, actor, body, afterCommit, setMessage }) => {
    refuseImpersonation({ actor })
    if (body.id === actor.sessionId) throw conflict('当前会话请使用「退出登录」')
    const tokenHash = orNotFound(await store.endOneSession(db, actor.userId, body.id))
    afterCommit(() => deps.sessions.forget([tokenHash]))
    setMessage('会话已结束')
    return null
  },

  endOthers: async (ctx) => {
    refuseImpersonation(ctx)
    const ended = await endOtherSessions(ctx, deps.sessions)
    ctx.setMessage('其他会话已结束')
    return { ended }
  },
})

export const ownSessionFeature = defineFeature(ownSession, ownSessionHandlers)
