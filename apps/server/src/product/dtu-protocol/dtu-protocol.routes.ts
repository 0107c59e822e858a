import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import type { dtuProtocol } from '@wattdeck/contract/product/dtu-protocol.ts'
import type { Ctx, Handlers } from '../../kit/handlers.ts'
import { conflict, notFound } from '../../kit/refusal.ts'
import { assertUnused, tellChanged } from '../catalogue.ts'
import { decodeFrame } from './frame-debug.ts'
import * as store from './dtu-protocol.store.ts'

const list = 'dtuProtocol'

async function known({ db, scope }: Pick<Ctx<never>, 'db' | 'scope'>, id: string) {
  const found = await store.findProtocol(db, scope, id)
  if (found === undefined) throw notFound()
  return found
}

const columnsOf = (fields: Omit<BodyOf<typeof dtuProtocol.edit>, 'id'>) => ({
  name: fields.name,
  version: fields.version,
  adapter: fields.adapter ?? null,
  transport: fields.transport,
  access_way: fields.accessWay,
  endpoint: fields.endpoint ?? null,
  heartbeat_s: fields.heartbeatS,
  missed_heartbeats: fields.missedHeartbeats,
  frame_format: fields.frameFormat ?? null,
  remark: fields.remark ?? null,
})

export const dtuProtocolHandlers: Handlers<typeof dtuProtocol> = {
  list: ({ db, scope, query }) => store.listProtocols(db, scope, query),
  options: ({ db, scope }) => store.protocolOptions(db, scope),

  decode: async ({ db, scope, body }) => {
    const protocol = await store.readProtocol(db, scope, body.id)
    if (protocol === undefined) throw notFound()
    if (protocol.adapter === null) throw conflict(`协议「${protocol.name}」没有解析程序，不能调试报文`)
    return decodeFrame(protocol.adapter, body.direction, body.frame)
  },

  add: async (ctx) => {
    const { db, scope, actor, body } = ctx
    const values = { ...columnsOf(body), code: body.code, created_by: actor.userName }
    const id = await store.addProtocol(db, scope, values)
    if (id === undefined) throw conflict('协议编码已存在')
    await tellChanged(ctx, list)
    return { id }
  },

  edit: async (ctx) => {
    const { db, scope, body } = ctx
    const before = await known(ctx, body.id)
    const { types } = await store.protocolUses(db, scope, body.id)
    // Devices carry a copy of it, and are spoken to by it.
    if (before.adapter !== (body.adapter ?? null) && before.adapter !== null && types > 0)
      throw conflict(`协议「${before.name}」正被 ${types} 个设备类型使用，不能更改解析程序`)
    await store.changeProtocol(db, scope, body.id, columnsOf(body))
    await tellChanged(ctx, list)
    return null
  },

  toggle: async (ctx) => {
    const { db, scope, body } = ctx
    await known(ctx, body.id)
    if (!(await store.setStatus(db, scope, body.id, body.status))) throw conflict('协议状态已变更，请刷新后重试')
    await tellChanged(ctx, list)
    return null
  },

  remove: async (ctx) => {
    const { db, scope, body } = ctx
    const own = await known(ctx, body.id)
    const { types, sets } = await store.protocolUses(db, scope, body.id)
    assertUnused(`协议「${own.name}」`, { 设备类型: types, 指令集: sets })
    await store.removeProtocol(db, scope, body.id)
    await tellChanged(ctx, list)
    return null
  },
}
