import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { z } from 'zod'
import { batchKind, type BatchCtx, type BatchTarget } from '../../../kit/bulk/batch-kind.ts'
import { conflict, forbidden, notFound } from '../../../kit/http/refusal.ts'
import { chosenPlace } from '../../_shared/place.store.ts'
import { findDevice } from '../_shared/device.store.ts'
import * as store from './device-manage.store.ts'

const common = { module: '设备管理', access: { menu: menuKey.deviceManage, action: 'edit' }, list: 'device' } as const

/** The device of an item: it may have been removed or handed to somebody else since it was chosen. */
async function deviceOf({ db }: BatchCtx, { target_id: id }: BatchTarget) {
  const device = id === null ? undefined : await findDevice(db, id)
  if (device === undefined) throw notFound()
  return device
}

export const moveDevices = batchKind({
  ...common,
  kind: 'device.move',
  params: z.strictObject({
    organiseId: z.string().optional(),
    agentId: z.string().optional(),
    siteId: z.string().optional(),
  }),
  apply: async (ctx, wish, target) => {
    const { db, scope, actor } = ctx
    const device = await deviceOf(ctx, target)
    const place = await chosenPlace(db, actor, wish)
    if (place.organise_id !== device.organise_id && scope.level !== 0) throw forbidden()
    // What is being charged is billed to whom it began with.
    if (place.organise_id !== device.organise_id && device.working_ports > 0)
      throw conflict('设备有端口正在工作，不能更换机构')
    await store.moveDevice(db, device.id, place)
  },
})

export const setServiceTimes = batchKind({
  ...common,
  kind: 'device.serviceTime',
  params: z.strictObject({ serviceUntil: z.string(), reason: z.string() }),
  apply: async (ctx, { serviceUntil }, target) => {
    if (ctx.scope.level !== 0) throw forbidden()
    const device = await deviceOf(ctx, target)
    await store.setServiceUntil(ctx.db, device.id, serviceUntil)
  },
})
