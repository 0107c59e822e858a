import { enabledStatus } from '@wattdeck/contract/common.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { versionState } from '@wattdeck/contract/product/consumption-standard.ts'
import { z } from 'zod'
import { batchKind, type BatchCtx } from '../../../kit/bulk/batch-kind.ts'
import { conflict, invalid, notFound } from '../../../kit/http/refusal.ts'
import { findDevice } from '../_shared/device.store.ts'
import { bindDevice, bindSite, devicesOfSite, findSite } from './binding.store.ts'
import { misfitOf } from './consumption-standard.rules.ts'
import { readTariff } from '../../../core/tariffs/tariff.store.ts'
import { openVersions } from '../../../core/tariffs/tariff-version.store.ts'

const params = z.strictObject({ tariffId: z.string().optional() })
const common = { module: '消费标准', params } as const

/** A tariff that devices may charge by, with what it says now and will say. */
export async function bindable({ db }: Pick<BatchCtx, 'db' | 'scope'>, id: string) {
  const tariff = await readTariff(db, id)
  if (tariff === undefined) throw notFound()
  if (tariff.status === enabledStatus.code.disabled) throw invalid('该消费标准已停用', 'tariffId')
  if (tariff.version_id === null) throw invalid('该消费标准尚未发布', 'tariffId')
  const open = await openVersions(db, id)
  return { ...tariff, rules: open.filter(({ state }) => state !== versionState.code.draft).map(({ rules }) => rules) }
}
type Bindable = Awaited<ReturnType<typeof bindable>>
type Fitted = { adapter: string; device_type_id: string }

/** Why devices cannot charge by it. */
function problemOf({ rules, device_type_ids }: Bindable, devices: readonly Fitted[]): string | undefined {
  if (device_type_ids.length > 0 && devices.some(({ device_type_id }) => !device_type_ids.includes(device_type_id)))
    return '消费标准不适用于该设备型号'
  const adapters = devices.map(({ adapter }) => adapter)
  return rules.map((one) => misfitOf(one, adapters)).find((text) => text !== undefined)
}

export const bindDevices = batchKind({
  ...common,
  kind: 'tariff.bindDevices',
  access: { menu: menuKey.deviceManage, action: 'setStandard' },
  list: 'device',
  apply: async (ctx, { tariffId }, { target_id: id }) => {
    const device = id === null ? undefined : await findDevice(ctx.db, id)
    if (device === undefined) throw notFound()
    if (tariffId !== undefined) {
      const tariff = await bindable(ctx, tariffId)
      if (tariff.organise_id !== device.organise_id) throw conflict('消费标准与设备不属于同一机构')
      const problem = problemOf(tariff, [device])
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
    const site = id === null ? undefined : await findSite(ctx.db, id)
    if (site === undefined) throw notFound()
    if (tariffId !== undefined) {
      const tariff = await bindable(ctx, tariffId)
      if (tariff.organise_id !== site.organise_id) throw conflict('消费标准与站点不属于同一机构')
      const problem = problemOf(tariff, await devicesOfSite(ctx.db, site))
      if (problem !== undefined) throw conflict(`站点内的设备不能使用：${problem}`)
    }
    await bindSite(ctx.db, site.id, tariffId ?? null)
  },
})
