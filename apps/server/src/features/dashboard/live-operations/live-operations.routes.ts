import { liveMenus, liveOperations } from '@wattdeck/contract/dashboard/live-operations.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { needOneOf } from '../_shared/need-one-of.ts'
import * as store from './live-operations.store.ts'

const liveOperationsHandlers: Handlers<typeof liveOperations> = {
  devices: async (ctx) => {
    needOneOf(ctx, liveMenus.devices)
    return store.readDevices(ctx.db, ctx.scope, ctx.query)
  },
  alarms: async (ctx) => {
    needOneOf(ctx, liveMenus.alarms)
    return store.readAlarms(ctx.db, ctx.scope, ctx.query)
  },
  charges: async (ctx) => {
    needOneOf(ctx, liveMenus.charges)
    return store.readCharges(ctx.db, ctx.scope, ctx.query)
  },
}

export const liveOperationsFeature = defineFeature(liveOperations, liveOperationsHandlers)
