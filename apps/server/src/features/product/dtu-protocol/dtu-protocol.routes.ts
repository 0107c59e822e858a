import { dtuProtocol, dtuProtocolCrud } from '@wattdeck/contract/product/dtu-protocol.ts'
import { sql } from 'kysely'
import { defineFeature } from '../../../kit/http/feature.ts'
import { crudHandlers } from '../../../kit/http/crud.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { conflict, orNotFound } from '../../../kit/http/refusal.ts'
import { assertUnused } from '../_shared/catalogue.ts'
import { decodeFrame } from './frame-debug.ts'
import * as store from './dtu-protocol.store.ts'

const dtuProtocolHandlers: Handlers<typeof dtuProtocol> = {
  ...crudHandlers(dtuProtocolCrud, {
    table: 'dtu_protocol',
    computed: {
      typeNames: sql`array(select type.name from device_type type where type.protocol_id = dtu_protocol.id order by type.code)`,
      setCount: sql`(select count(*)::int from instruction_set made where made.protocol_id = dtu_protocol.id)`,
    },
    guards: {
      edit: async ({ db, body }, before) => {
        const { types } = await store.protocolUses(db, before.id)
        const { adapter = null } = body as { adapter?: string }
        // Devices copy the adapter of their protocol.
        if (before.adapter !== adapter && before.adapter !== null && types > 0)
          throw conflict(`协议「${before.name}」正被 ${types} 个设备类型使用，不能更改解析程序`)
      },
      remove: async ({ db }, { id, name }) => {
        const { types, sets } = await store.protocolUses(db, id)
        assertUnused(`协议「${name}」`, { 设备类型: types, 指令集: sets })
      },
    },
  }),

  options: ({ db }) => store.protocolOptions(db),

  decode: async ({ db, body }) => {
    const protocol = orNotFound(await store.readProtocol(db, body.id))
    if (protocol.adapter === null) throw conflict(`协议「${protocol.name}」没有解析程序，不能调试报文`)
    return decodeFrame(protocol.adapter, body.direction, body.frame)
  },
}

export const dtuProtocolFeature = defineFeature(dtuProtocol, dtuProtocolHandlers)
