import type { notification } from '@wattdeck/contract/session/notification.ts'
import type { Handlers } from '../../kit/handlers.ts'
import { notFound } from '../../kit/refusal.ts'
import { countOwn, listNotifications, markRead } from './notification.store.ts'

export const notificationHandlers: Handlers<typeof notification> = {
  list: ({ db, scope, actor, query }) => listNotifications(db, scope, actor.userId, query),

  markRead: async ({ db, scope, actor, body: { ids } }) => {
    if (ids !== undefined && (await countOwn(db, scope, actor.userId, ids)) !== new Set(ids).size) throw notFound()
    await markRead(db, scope, actor.userId, ids)
    return null
  },
}
