import { attributeSetting } from '@wattdeck/contract/product/attribute-setting.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { startBatch } from '../../../kit/bulk/batch.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import type { Deps } from '../../../kit/http/http.ts'
import { orNotFound } from '../../../kit/http/refusal.ts'
import { targetsOf } from '../_shared/chosen-devices.ts'
import { devicesMatching } from '../../_shared/device-filter.ts'
import { readBack, write, writeAttributes } from './attribute-setting.batch.ts'
import * as store from './attribute-setting.store.ts'

const maxDevices = 20

/** One '标识=值' per line. */
const valuesOf = (lines: string) =>
  lines.split('\n').map((line) => {
    const [identifier = '', value = ''] = line.split('=')
    return { identifier, value }
  })

const attributeSettingHandlers = ({ commandsWithoutApproval }: Deps): Handlers<typeof attributeSetting> => ({
  devices: ({ db, scope, query }) =>
    devicesMatching(db, scope, query.keyword === undefined ? {} : { keyword: query.keyword })
      .select(['device.id', 'device.device_no as deviceNo', 'device.name'])
      .orderBy('device.id', 'desc')
      .limit(maxDevices)
      .execute(),

  list: async ({ db, params }) => {
    const row = orNotFound(await store.findDevice(db, params.id))
    const { adapter, templateId, ...device } = row
    const attributes = await store.listAttributes(db, { id: device.id, adapter, templateId })
    return { device, attributes }
  },

  read: async (ctx) => ({ commandIds: [await readBack(ctx, ctx.body.deviceId)] }),
  write: async (ctx) => ({ commandIds: await write(ctx, ctx.body.deviceId, ctx.body.values) }),

  batchWrite: (ctx) => {
    const { ids, filter, values } = ctx.body
    return startBatch(ctx, writeAttributes, {
      title: '批量下发属性',
      params: { values: valuesOf(values) },
      ...targetsOf(ctx.db, ctx.scope, { ids, filter }),
      freeUpTo: commandsWithoutApproval,
    })
  },
})

export const attributeSettingFeature = defineFeature(attributeSetting, attributeSettingHandlers, {
  batchKinds: [writeAttributes],
})
