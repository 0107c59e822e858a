import { deviceOperation, whenOffline } from '@wattdeck/contract/product/device-command.ts'
import { enabledStatus } from '@wattdeck/contract/common.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { z } from 'zod'
import { cancelOfJob, enqueueCommand, supersede } from '../../../core/devices/command.store.ts'
import { batchKind, type BatchCtx } from '../../../kit/bulk/batch-kind.ts'
import { conflict, notFound, orNotFound } from '../../../kit/http/refusal.ts'
import { findDevice, setStatus } from '../_shared/device.store.ts'
import { commandOf, lifeS, mayRunTwice, platformDoesIt } from './device-command.rules.ts'

type Params = {
  operation: (typeof deviceOperation.code)[keyof typeof deviceOperation.code]
  whenOffline: number
  waitHours?: number | undefined
}

/** Runs an operation on one device: stores the new state of the platform, and sends the command. */
export async function operate(
  { db, actor }: BatchCtx,
  deviceId: string,
  request: Params,
  job?: { id: string; seq: number },
): Promise<{ id: string; deviceNo: string }> {
  const device = orNotFound(await findDevice(db, deviceId))
  const command = commandOf(request.operation)
  const { enabled, disabled } = enabledStatus.code
  if (command.kind === 'stop' || command.kind === 'restore')
    await setStatus(db, deviceId, command.kind === 'stop' ? disabled : enabled)
  const id = orNotFound(
    await enqueueCommand(db, {
      deviceId,
      command,
      whenOffline: request.whenOffline,
      livesS: lifeS(request.whenOffline, request.waitHours),
      by: { userId: actor.userId, name: actor.userName },
      job,
      doneAlready: platformDoesIt(device.adapter, command),
    }),
  )
  return { id, deviceNo: device.device_no }
}

export const operateDevices = batchKind({
  module: '设备控制',
  access: { menu: menuKey.deviceManage, action: 'control' },
  list: 'device',
  kind: 'device.operate',
  params: z.strictObject({
    operation: deviceOperation.schema,
    whenOffline: whenOffline.schema,
    waitHours: z.number().optional(),
  }),
  apply: async (ctx, request, { job_id, seq, target_id }) => {
    if (target_id === null) throw notFound()
    const last = await supersede(ctx.db, job_id, seq)
    if (mayRunTwice(commandOf(request.operation), last))
      throw conflict('上次结果未知，为避免重复执行，请逐台确认后操作')
    await operate(ctx, target_id, request, { id: job_id, seq })
  },
  pending: { cancel: ({ db }, jobId) => cancelOfJob(db, jobId) },
})
