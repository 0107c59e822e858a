import { alwaysPopsUp, notification } from '@wattdeck/contract/auth/notification.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { placeOf } from '../../../kit/auth/actor.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { invalid, notFound } from '../../../kit/http/refusal.ts'
import { countOwn, listNotifications, markRead, readPreferences, savePreference } from './notification.store.ts'

const notificationHandlers: Handlers<typeof notification> = {
  list: ({ db, actor, query }) => listNotifications(db, actor.userId, query),

  markRead: async ({ db, actor, body: { ids } }) => {
    if (ids !== undefined && (await countOwn(db, actor.userId, ids)) !== new Set(ids).size) throw notFound()
    await markRead(db, actor.userId, ids)
    return null
  },

  preferences: ({ db, actor }) => readPreferences(db, actor.userId),

  savePreference: async ({ db, actor, body: { type, popup } }) => {
    if (alwaysPopsUp(type) && !popup) throw invalid('平台预警不能关闭弹窗')
    await savePreference(db, { ...placeOf(actor), user_id: actor.userId, type, popup })
    return null
  },
}

export const notificationFeature = defineFeature(notification, notificationHandlers)
