import { curveMaxHours, deviceDetail } from '@wattdeck/contract/product/device-detail.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { invalid, notFound } from '../../../kit/http/refusal.ts'
import { momentOf } from '../../_shared/message-id.ts'
import { deviceExists } from '../_shared/device.store.ts'
import * as store from './device-detail.store.ts'

/** Records of a device are selected by its id alone, so the caller must be able to see the device. */
async function assertThere({ db }: Pick<Ctx<never>, 'db' | 'scope'>, id: string): Promise<void> {
  if (!(await deviceExists(db, id))) throw notFound()
}

const deviceDetailHandlers: Handlers<typeof deviceDetail> = {
  read: async ({ db, params }) => {
    const device = await store.readDevice(db, params.id)
    if (device === undefined) throw notFound()
    return device
  },

  pileFields: async ({ db, query }) => {
    const fields = await store.readPileFields(db, query.deviceId)
    if (fields === undefined) throw notFound()
    return fields
  },

  messages: async (ctx) => {
    await assertThere(ctx, ctx.params.id)
    return store.listMessages(ctx.db, ctx.params.id, ctx.query)
  },

  events: async (ctx) => {
    await assertThere(ctx, ctx.params.id)
    return store.listEvents(ctx.db, ctx.params.id, ctx.query)
  },

  operations: async (ctx) => {
    await assertThere(ctx, ctx.params.id)
    return store.listOperations(ctx.db, ctx.params.id, ctx.query)
  },

  powerCurve: async (ctx) => {
    const { db, params, query } = ctx
    const spanMs = momentOf(query.endAt) - momentOf(query.beginAt)
    if (spanMs <= 0) throw invalid('结束时间须晚于开始时间', 'endAt')
    if (spanMs > curveMaxHours * 3_600_000) throw invalid(`时间范围不能超过${curveMaxHours / 24}天`, 'endAt')
    await assertThere(ctx, params.id)
    return store.readCurve(db, params.id, query)
  },
}

export const deviceDetailFeature = defineFeature(deviceDetail, deviceDetailHandlers)
