import { deviceCommand, deviceOperation, pendingBatchList } from '@wattdeck/contract/product/device-command.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { placeOf } from '../../../kit/auth/actor.ts'
import { startBatch } from '../../../kit/bulk/batch.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import type { Deps } from '../../../kit/http/http.ts'
import { notify } from '../../../kit/events/outbox.ts'
import { conflict, notFound, orNotFound } from '../../../kit/http/refusal.ts'
import { assertDifferentPerson } from '../../../kit/auth/two-people.ts'
import { targetsOf } from '../_shared/chosen-devices.ts'
import { deviceExists } from '../_shared/device.store.ts'
import { requirePort, startPort, stopPort } from '../_shared/port-command.ts'
import { operate, operateDevices } from './device-command.batch.ts'
import * as store from './device-command.store.ts'

/** Kinds of batches that need a second user (maker-checker). */
const approvalKinds = [operateDevices.kind, 'device.attributes']

type Some = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>
/** A batch of another user, locked for the decision. No user decides on their own batch, whatever their rights. */
async function lockPendingJob(ctx: Some, id: string) {
  const job = orNotFound(await store.lockPendingJob(ctx.db, approvalKinds, id))
  await assertDifferentPerson(ctx, job.user_id, '不能审批自己发起的批量指令')
  return job
}

const deviceCommandHandlers = ({ commandsWithoutApproval }: Deps): Handlers<typeof deviceCommand> => ({
  list: async ({ db, params, query }) => {
    if (!(await deviceExists(db, params.id))) throw notFound()
    return store.listCommands(db, params.id, query)
  },

  read: async ({ db, params }) => {
    return orNotFound(await store.readCommand(db, params.id))
  },

  operate: async (ctx) => {
    const { deviceId, ...request } = ctx.body
    const { id, deviceNo } = await operate(ctx, deviceId, request)
    ctx.setAuditDetail(`${deviceOperation.show(request.operation).label} ${deviceNo}`)
    return { commandId: id }
  },

  startPort: async (ctx) => {
    const { db, body } = ctx
    const { deviceId, codeId } = body
    if (codeId !== undefined && !(await store.isCodeOf(db, codeId, deviceId))) throw notFound()
    const { commandId, text } = await startPort(ctx, body)
    ctx.setAuditDetail(text)
    return { commandId }
  },

  stopPort: async (ctx) => {
    const { commandId, text } = await stopPort(ctx, ctx.body)
    ctx.setAuditDetail(text)
    return { commandId }
  },

  switchPort: async (ctx) => {
    const { db, body } = ctx
    const { deviceNo } = await requirePort(db, body.deviceId, body.portNo)
    ctx.setAuditDetail(`${body.enabled === '1' ? '启用' : '停用'} ${deviceNo} ${body.portNo}号端口`)
    await store.switchPort(db, body.deviceId, body.portNo, body.enabled === '1')
    return null
  },

  cancel: async ({ db, body }) => {
    orNotFound(await store.readCommand(db, body.id))
    if (!(await store.cancelCommand(db, body.id))) throw conflict('指令已发送或已结束')
    return null
  },

  batchOperate: (ctx) => {
    const { ids, filter, ...params } = ctx.body
    const { label } = deviceOperation.show(params.operation)
    return startBatch(ctx, operateDevices, {
      title: `批量${label}设备`,
      params,
      ...targetsOf(ctx.db, ctx.scope, { ids, filter }),
      freeUpTo: commandsWithoutApproval,
    })
  },

  held: ({ db, scope, actor, query }) =>
    listQuery(db, scope, pendingBatchList, store.pendingJobSource(approvalKinds, actor.userId), query),

  approve: async (ctx) => {
    const { db, actor, body } = ctx
    const job = await lockPendingJob(ctx, body.id)
    // A command that was right yesterday may be wrong today.
    if (job.stale) throw conflict('该任务已超过24小时，请重新发起')
    const decision = { as: 'approve', by: actor.userName } as const
    if (!(await store.decide(db, body.id, decision))) throw conflict('该任务已处理')
    await ctx.enqueue('batch.run', { jobId: body.id })
    ctx.setMessage(`已通过「${job.title}」，开始执行`)
    await notifyMaker(ctx, job, '批量指令已通过')
    return null
  },

  turnDown: async (ctx) => {
    const { db, body } = ctx
    const job = await lockPendingJob(ctx, body.id)
    const decision = { as: 'cancel', reason: body.reason } as const
    if (!(await store.decide(db, body.id, decision))) throw conflict('该任务已处理')
    ctx.setMessage(`已驳回「${job.title}」，不会执行`)
    await notifyMaker(ctx, job, `批量指令被驳回：${body.reason}`)
    return null
  },
})

type PendingJob = Awaited<ReturnType<typeof lockPendingJob>>
const notifyMaker = ({ db, actor }: Some, job: PendingJob, title: string): Promise<void> =>
  notify(
    db,
    // The notification is stored at the caller's place, as row-level security requires.
    { ...placeOf(actor), organise_id: job.organise_id, userId: job.user_id },
    { type: 0, title, body: job.title, route: `/system/download?tab=batch&job=${job.id}` },
  )

export const deviceCommandFeature = defineFeature(deviceCommand, deviceCommandHandlers, {
  batchKinds: [operateDevices],
})
