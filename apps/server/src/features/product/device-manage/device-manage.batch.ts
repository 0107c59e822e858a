import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { z } from 'zod'
import { batchKind, type BatchCtx, type BatchTarget } from '../../../kit/bulk/batch-kind.ts'
import type { Actor } from '../../../kit/auth/actor.ts'
import type { Db } from '../../../kit/db/db.ts'
import { conflict, forbidden, invalid, notFound } from '../../../kit/http/refusal.ts'
import { chosenPlace, type Place } from '../../_shared/place.store.ts'
import { findDevice } from '../_shared/device.store.ts'
import { bindableTariff, tariffProblem } from '../_shared/tariff-fit.ts'
import * as store from './device-manage.store.ts'

const common = { module: '设备管理', access: { menu: menuKey.deviceManage, action: 'edit' }, list: 'device' } as const

export const maySetTariffs = ({ grants }: Actor) => grants.includes(`${menuKey.deviceManage}:setStandard`)

/** The tariff for devices of the site without their own tariff. */
export async function siteTariff(db: Db, { site_id: siteId }: Place): Promise<string> {
  if (siteId === null) throw invalid('同步消费标准须选择站点', 'siteId')
  const tariffId = await store.findSiteTariff(db, siteId)
  if (tariffId === null) throw conflict('目标站点没有消费标准')
  return tariffId
}

/** The device of an item. It may have been removed or moved to another owner since it was chosen. */
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
    syncTariff: z.boolean().optional(),
  }),
  apply: async (ctx, { syncTariff = false, ...request }, target) => {
    const { db, scope, actor } = ctx
    const device = await deviceOf(ctx, target)
    const place = await chosenPlace(db, actor, request)
    if (place.organise_id !== device.organise_id && scope.level !== 0) throw forbidden()
    // A running charge is billed to the organisation in which it began.
    if (place.organise_id !== device.organise_id && device.working_ports > 0)
      throw conflict('设备有端口正在工作，不能更换机构')
    if (syncTariff) {
      if (!maySetTariffs(actor)) throw forbidden()
      const tariff = await bindableTariff(db, await siteTariff(db, place))
      const problem = tariffProblem(tariff, [device])
      if (problem !== undefined) throw conflict(`不能使用目标站点的消费标准：${problem}`)
    }
    await store.moveDevice(db, device.id, place, { keepsTariff: !syncTariff })
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
