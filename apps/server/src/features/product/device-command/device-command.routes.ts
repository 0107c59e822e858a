import { deviceCommand, deviceOperation, heldList } from '@wattdeck/contract/product/device-command.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { placeOf } from '../../../kit/auth/actor.ts'
import { startBatch } from '../../../kit/bulk/batch.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import type { Deps } from '../../../kit/http/http.ts'
import { notify } from '../../../kit/events/outbox.ts'
import { conflict, notFound, orNotFound } from '../../../kit/http/refusal.ts'
import { assertAnother } from '../../../kit/auth/two-people.ts'
import { targetsOf } from '../_shared/chosen-devices.ts'
import { isThere } from '../_shared/device.store.ts'
import { knownPort, startPort, stopPort } from '../_shared/port-command.ts'
import { operate, operateDevices } from './device-command.batch.ts'
import * as store from './device-command.store.ts'

/** Which batches wait for a second person. */
const heldKinds = [operateDevices.kind, 'device.attributes']

type Some = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>
/** Somebody else's batch, locked until it is decided. Nobody decides on what they asked for themselves, whoever they are. */
async function heldOf(ctx: Some, id: string) {
  const held = orNotFound(await store.findHeld(ctx.db, heldKinds, id))
  await assertAnother(ctx, held.user_id, '不能审批自己发起的批量指令')
  return held
}

const deviceCommandHandlers = ({ commandsWithoutApproval }: Deps): Handlers<typeof deviceCommand> => ({
  list: async ({ db, params, query }) => {
    if (!(await isThere(db, params.id))) throw notFound()
    return store.listCommands(db, params.id, query)
  },

  read: async ({ db, params }) => {
    return orNotFound(await store.readCommand(db, params.id))
  },

  operate: async (ctx) => {
    const { deviceId, ...wish } = ctx.body
    const { id, deviceNo } = await operate(ctx, deviceId, wish)
    ctx.setAuditDetail(`${deviceOperation.show(wish.operation).label} ${deviceNo}`)
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
    const { deviceNo } = await knownPort(db, body.deviceId, body.portNo)
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
    listQuery(db, scope, heldList, store.heldSource(heldKinds, actor.userId), query),

  approve: async (ctx) => {
    const { db, actor, body } = ctx
    const held = await heldOf(ctx, body.id)
    // What was right to command yesterday may not be today.
    if (held.stale) throw conflict('该任务已超过24小时，请重新发起')
    const decision = { as: 'approve', by: actor.userName } as const
    if (!(await store.decide(db, body.id, decision))) throw conflict('该任务已处理')
    await ctx.enqueue('batch.run', { jobId: body.id })
    ctx.setMessage(`已通过「${held.title}」，开始执行`)
    await tellMaker(ctx, held, '批量指令已通过')
    return null
  },

  turnDown: async (ctx) => {
    const { db, body } = ctx
    const held = await heldOf(ctx, body.id)
    const decision = { as: 'cancel', reason: body.reason } as const
    if (!(await store.decide(db, body.id, decision))) throw conflict('该任务已处理')
    ctx.setMessage(`已驳回「${held.title}」，不会执行`)
    await tellMaker(ctx, held, `批量指令被驳回：${body.reason}`)
    return null
  },
})

type Held = Awaited<ReturnType<typeof heldOf>>
const tellMaker = ({ db, actor }: Some, held: Held, title: string): Promise<void> =>
  notify(
    db,
    // What is told stands where its teller stands, as row security wants.
    { ...placeOf(actor), organise_id: held.organise_id, userId: held.user_id },
    { type: 0, title, body: held.title, route: `/system/download?tab=batch&job=${held.id}` },
  )

export const deviceCommandFeature = defineFeature(deviceCommand, deviceCommandHandlers, {
  batchKinds: [operateDevices],
})
