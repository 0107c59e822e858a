import { attributeAccess } from '@wattdeck/contract/product/platform-attribute.ts'
import { whenOffline } from '@wattdeck/contract/product/device-command.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { z } from 'zod'
import { cancelOfJob, enqueueCommand, supersede } from '../../../core/devices/command.store.ts'
import { batchKind, type BatchCtx } from '../../../kit/bulk/batch-kind.ts'
import { conflict, invalid, notFound, orNotFound } from '../../../kit/http/refusal.ts'
import { wireValues, writeProblem } from './attribute-setting.rules.ts'
import * as store from './attribute-setting.store.ts'

type AttributeChange = { identifier: string; value: string }
const livesS = 3600

async function loadDevice({ db }: BatchCtx, deviceId: string) {
  const device = orNotFound(await store.findDevice(db, deviceId))
  return { device, attributes: await store.listAttributes(db, device) }
}

const command = (ctx: BatchCtx, deviceId: string) => ({
  deviceId,
  whenOffline: whenOffline.code.wait,
  livesS,
  by: { userId: ctx.actor.userId, name: ctx.actor.userName },
})

/** Requests all attributes of the device's template that can be read. */
export async function readBack(ctx: BatchCtx, deviceId: string): Promise<string> {
  const { attributes } = await loadDevice(ctx, deviceId)
  const identifiers = attributes
    .filter(({ supported, access }) => supported && access !== attributeAccess.code.write)
    .map(({ identifier }) => identifier)
  if (identifiers.length === 0) throw conflict('该设备没有可读取的属性')
  return orNotFound(
    await enqueueCommand(ctx.db, {
      ...command(ctx, deviceId),
      command: { kind: 'readAttributes', identifiers },
    }),
  )
}

/** Sends values to a device, then reads them back: only the report of the device confirms a value. */
export async function write(
  ctx: BatchCtx,
  deviceId: string,
  changes: readonly AttributeChange[],
  job?: { id: string; seq: number },
): Promise<string[]> {
  const { device, attributes } = await loadDevice(ctx, deviceId)
  for (const one of changes) {
    const problem = writeProblem(attributes, one)
    if (problem !== undefined) throw invalid(problem)
  }
  const values = wireValues(device.adapter, attributes, changes)
  if (values === undefined) throw conflict('请先读取设备当前参数，再修改')
  const id = orNotFound(
    await enqueueCommand(ctx.db, {
      ...command(ctx, deviceId),
      command: { kind: 'writeAttributes', values },
      job,
    }),
  )
  await store.saveDesiredValues(ctx.db, deviceId, changes, { commandId: id, name: ctx.actor.userName })
  return [id, await readBack(ctx, deviceId)]
}

export const writeAttributes = batchKind({
  module: '属性设置',
  access: { menu: menuKey.attributeSetting, action: 'control' },
  list: 'device',
  kind: 'device.attributes',
  params: z.strictObject({ values: z.array(z.strictObject({ identifier: z.string(), value: z.string() })) }),
  apply: async (ctx, { values }, { job_id, seq, target_id }) => {
    if (target_id === null) throw notFound()
    await supersede(ctx.db, job_id, seq)
    await write(ctx, target_id, values, { id: job_id, seq })
  },
  pending: { cancel: ({ db }, jobId) => cancelOfJob(db, jobId) },
})
