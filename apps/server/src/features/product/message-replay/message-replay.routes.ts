import { messageReplay } from '@wattdeck/contract/product/message-replay.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { conflict, notFound, orNotFound } from '../../../kit/http/refusal.ts'
import { deviceExists } from '../_shared/device.store.ts'
import { momentOf } from '../../_shared/message-id.ts'
import { compareReplay } from './message-replay.comparison.ts'
import { openReplay } from './message-replay.opening.ts'
import * as store from './message-replay.store.ts'

const messageReplayHandlers: Handlers<typeof messageReplay> = {
  list: async ({ db, params, query }) => {
    if (!(await deviceExists(db, params.deviceId))) throw notFound()
    return store.listReplays(db, params.deviceId, query)
  },

  targets: async ({ db, query }) => {
    const source = orNotFound(await store.findReplayDevice(db, { id: query.deviceId }))
    return store.listTargets(db, source, query.keyword)
  },

  read: async ({ db, params }) => {
    return orNotFound(await store.readReplay(db, params.id))
  },

  compare: async ({ db, params }) => {
    orNotFound(await store.readReplay(db, params.id))
    const compared = await compareReplay(db, params.id)
    if (compared === undefined) throw conflict('重放尚未开始')
    return compared
  },

  start: async ({ db, actor, body, setAuditDetail, setMessage }) => {
    const opened = await openReplay(db, {
      source: { id: body.deviceId },
      target: { id: body.targetDeviceId },
      fromMs: momentOf(body.beginAt),
      toMs: momentOf(body.endAt),
      speed: body.speed,
      userId: actor.userId,
      createdBy: actor.userName,
    })
    setAuditDetail(`${opened.source.device_no} → ${opened.target.device_no}，${opened.total}条`)
    setMessage('重放已提交')
    return { id: opened.id }
  },

  cancel: async ({ db, body }) => {
    orNotFound(await store.readReplay(db, body.id))
    if (!(await store.cancelReplay(db, body.id))) throw conflict('重放已结束')
    return null
  },
}

export const messageReplayFeature = defineFeature(messageReplay, messageReplayHandlers)
