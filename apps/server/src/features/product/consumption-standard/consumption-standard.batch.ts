import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { z } from 'zod'
import { batchKind } from '../../../kit/bulk/batch-kind.ts'
import { conflict, orNotFound } from '../../../kit/http/refusal.ts'
import { findDevice } from '../_shared/device.store.ts'
import { bindableTariff, tariffProblem } from '../_shared/tariff-fit.ts'
import { bindDevice, bindSite, devicesOfSite, findSite } from './binding.store.ts'

const params = z.strictObject({ tariffId: z.string().optional() })
const common = { module: '消费标准', params } as const

export const bindDevices = batchKind({
  ...common,
  kind: 'tariff.bindDevices',
  access: { menu: menuKey.deviceManage, action: 'setStandard' },
  list: 'device',
  apply: async (ctx, { tariffId }, { target_id: id }) => {
    const device = orNotFound(id === null ? undefined : await findDevice(ctx.db, id))
    if (tariffId !== undefined) {
      const tariff = await bindableTariff(ctx.db, tariffId)
      if (tariff.organise_id !== device.organise_id) throw conflict('消费标准与设备不属于同一机构')
      const problem = tariffProblem(tariff, [device])
      if (problem !== undefined) throw conflict(problem)
    }
    await bindDevice(ctx.db, device.id, tariffId ?? null)
  },
})

export const bindSites = batchKind({
  ...common,
  kind: 'tariff.bindSites',
  access: { menu: menuKey.site, action: 'setStandard' },
  list: 'site',
  apply: async (ctx, { tariffId }, { target_id: id }) => {
    const site = orNotFound(id === null ? undefined : await findSite(ctx.db, id))
    if (tariffId !== undefined) {
      const tariff = await bindableTariff(ctx.db, tariffId)
      if (tariff.organise_id !== site.organise_id) throw conflict('消费标准与站点不属于同一机构')
      const problem = tariffProblem(tariff, await devicesOfSite(ctx.db, site))
      if (problem !== undefined) throw conflict(`站点内的设备不能使用：${problem}`)
    }
    await bindSite(ctx.db, site.id, tariffId ?? null)
  },
})
