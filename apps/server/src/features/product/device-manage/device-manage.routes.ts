import { enabledStatus } from '@wattdeck/contract/common.ts'
import type { ChosenRows } from '@wattdeck/contract/kit/bulk.ts'
import { deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import { serviceDue } from '@wattdeck/domain/device-service.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { placeOf } from '../../../kit/auth/actor.ts'
import { startBatch } from '../../../kit/bulk/batch.ts'
import type { Db } from '../../../kit/db/db.ts'
import { fileType } from '../../../kit/bulk/exports.ts'
import { exportHandler } from '../../../kit/bulk/list-export.ts'
import { type Ctx, type Handlers, prepared } from '../../../kit/http/handlers.ts'
import type { Deps } from '../../../kit/http/http.ts'
import { receiveSheet, templateOf } from '../../../kit/bulk/imports.ts'
import { publishToOrganisation } from '../../../kit/events/outbox.ts'
import { conflict, forbidden, invalid, notFound } from '../../../kit/http/refusal.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { readSheet } from '../../../kit/bulk/sheets/read-sheet.ts'
import { chosenPlace } from '../../_shared/place.store.ts'
import { chosenDevices, targetsOf } from '../_shared/chosen-devices.ts'
import { findDevice } from '../_shared/device.store.ts'
import { bindableTariff } from '../_shared/tariff-fit.ts'
import { maySetTariffs, moveDevices, setServiceTimes, siteTariff } from './device-manage.batch.ts'
import { deviceExport } from './device-manage.export.ts'
import { importDevices } from './device-manage.import.ts'
import { columnsOf } from './device-manage.rules.ts'
import * as store from './device-manage.store.ts'

const templateKey = 'template/device.xlsx'

type Some = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>
/** Refreshes open lists of devices. Events are stored at the caller's place, as row-level security requires. */
const publishChange = ({ db, actor }: Some, organise_id: string) =>
  publishToOrganisation(db, { ...placeOf(actor), organise_id }, { kind: 'changed', list: 'device' })

async function requireDevice({ db }: Some, id: string) {
  const row = await findDevice(db, id)
  if (row === undefined) throw notFound()
  return row
}

/** Fee of the chosen devices. It is computed for one organisation only, because each has its own terms. */
async function feeOf(db: Db, scope: Scope, chosen: ChosenRows) {
  const owners = await store.chosenOwners(db, chosenDevices(db, scope, chosen))
  const count = owners.reduce((sum, owner) => sum + owner.count, 0)
  if (count < new Set(chosen.ids).size) throw notFound()
  const [owner] = owners
  const organise =
    owner === undefined || owners.length > 1 ? undefined : await store.serviceTerms(db, owner.organise_id)
  const nothing = { terms: null, chargeable: null, due: null }
  const whose = { count, organises: owners.length, organiseName: organise?.name ?? null }
  if (organise === undefined || organise.unit_price_fen === null) return { ...whose, ...nothing }
  const unitPriceFen = BigInt(organise.unit_price_fen)
  const [freeDevices, cycle] = [organise.free_devices ?? 0, organise.cycle ?? 12]
  const { chargeable, dueFen } = serviceDue({
    chosen: count,
    all: organise.devices,
    freeDevices,
    unitPriceFen,
    cycleMonths: cycle,
  })
  const terms = { unitPrice: yuanText(unitPriceFen), cycle, freeDevices, organiseDevices: organise.devices }
  return { ...whose, terms, chargeable, due: yuanText(dueFen) }
}

const deviceManageHandlers = ({ files }: Deps): Handlers<typeof deviceManage> => ({
  list: ({ db, scope, query }) => store.listDevices(db, scope, query),
  totals: ({ db, scope, query }) => store.deviceTotals(db, scope, query),
  deviceClass: ({ db }) => store.deviceClasses(db),
  serviceFee: ({ db, scope, body }) => feeOf(db, scope, body),

  add: async (ctx) => {
    const { db, scope, actor, body } = ctx
    const { organiseId, agentId, siteId, deviceNo, serviceUntil, ...fields } = body
    const place = await chosenPlace(db, actor, { organiseId, agentId, siteId })
    const type = await store.findType(db, fields.deviceTypeId)
    if (type?.status === enabledStatus.code.disabled) throw invalid('该设备型号已停用', 'deviceTypeId')
    // Only the platform sets the end of a service.
    if (serviceUntil !== undefined && scope.level !== 0) throw forbidden()
    const id = await store.addDevice(db, {
      ...columnsOf(deviceNo, type, fields),
      ...place,
      device_no: deviceNo,
      created_by: actor.userName,
      ...(serviceUntil === undefined ? {} : { service_until: serviceUntil }),
    })
    await publishChange(ctx, place.organise_id)
    return { id }
  },

  edit: async (ctx) => {
    const { db, body } = ctx
    const { id, ...fields } = body
    const before = await requireDevice(ctx, id)
    const type = await store.findType(db, fields.deviceTypeId)
    if (fields.deviceTypeId !== before.device_type_id && before.working_ports > 0)
      throw conflict('设备有端口正在工作，不能更换型号')
    // A form without this field has not shown it; with another model the stored value may be meaningless.
    const wireId = fields.wireId ?? (fields.deviceTypeId === before.device_type_id ? before.wire_id : undefined)
    await store.changeDevice(db, id, columnsOf(before.device_no, type, { ...fields, wireId }))
    await publishChange(ctx, before.organise_id)
    return null
  },

  confirmLine: async (ctx) => {
    const { db, actor, body } = ctx
    const { device_no, organise_id } = await requireDevice(ctx, body.id)
    ctx.setAuditDetail(device_no)
    if (!(await store.confirmLine(db, body.id, actor.userName))) throw conflict('设备不在线或已确认，请刷新后重试')
    await publishChange(ctx, organise_id)
    return null
  },

  remove: async (ctx) => {
    const organises = new Set<string>()
    for (const id of ctx.body.ids) {
      const { device_no, working_ports, organise_id } = await requireDevice(ctx, id)
      if (working_ports > 0) throw conflict(`设备「${device_no}」有端口正在工作，不能删除`)
      await store.removeDevice(ctx.db, id)
      organises.add(organise_id)
    }
    for (const organiseId of organises) await publishChange(ctx, organiseId)
    return { changed: ctx.body.ids.length }
  },

  changePlot: async (ctx) => {
    const { db, scope, actor, body } = ctx
    const { ids, filter, ...params } = body
    const place = await chosenPlace(db, actor, params)
    if (params.syncTariff === true) {
      if (!maySetTariffs(actor)) throw forbidden()
      const tariff = await bindableTariff(db, await siteTariff(db, place))
      ctx.setAuditDetail(`同步消费标准「${tariff.name}」`)
    }
    return startBatch(ctx, moveDevices, { title: '更换站点', params, ...targetsOf(db, scope, { ids, filter }) })
  },

  serviceTime: async (ctx) => {
    if (ctx.scope.level !== 0) throw forbidden()
    const { ids, filter, ...params } = ctx.body
    ctx.setAuditDetail(`${params.serviceUntil}，${params.reason}`)
    const title = `修改服务时间至${params.serviceUntil}`
    return startBatch(ctx, setServiceTimes, { title, params, ...targetsOf(ctx.db, ctx.scope, { ids, filter }) })
  },

  exportList: exportHandler(deviceExport),

  importSheet: prepared({
    prepare: async ({ file }) => {
      if (file === undefined) throw invalid('请选择文件')
      return readSheet(file.bytes)
    },
    handle: (ctx, sheet) => receiveSheet(ctx, importDevices, '导入设备', sheet),
  }),

  importTemplate: prepared({
    prepare: async () => files.put(templateKey, await templateOf(importDevices), fileType.xlsx),
    handle: async () => ({ key: templateKey, name: '设备导入模板.xlsx', type: fileType.xlsx }),
  }),
})

export const deviceManageFeature = defineFeature(deviceManage, deviceManageHandlers, {
  exports: [deviceExport],
  batchKinds: [moveDevices, setServiceTimes, importDevices],
})
