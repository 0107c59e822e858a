import { tariffPush } from '@wattdeck/contract/product/tariff-push.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { notFound } from '../../../kit/http/refusal.ts'
import * as store from './tariff-push.store.ts'

const tariffPushHandlers: Handlers<typeof tariffPush> = {
  list: async ({ db, scope, params, query }) => {
    if (!(await store.tariffExists(db, params.id))) throw notFound()
    return store.listTariffDevices(db, scope, params.id, query)
  },
  retry: async ({ db, body }) => {
    const ids = [...new Set(body.ids)]
    if ((await store.countDevices(db, ids)) < ids.length) throw notFound()
    return { changed: await store.sendAgain(db, ids) }
  },
}

export const tariffPushFeature = defineFeature(tariffPush, tariffPushHandlers)
