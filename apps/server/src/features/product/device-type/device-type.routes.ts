import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { deviceType } from '@wattdeck/contract/product/device-type.ts'
import { setStatus } from '../../../kit/http/set-status.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { placeOf } from '../../../kit/auth/actor.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { conflict, invalid, orNotFound } from '../../../kit/http/refusal.ts'
import { swapPicture } from '../../../kit/files/stored-files.ts'
import { assertUnused, publishCatalogueChange } from '../_shared/catalogue.ts'
import * as store from './device-type.store.ts'
import { insertUnlessDuplicate, removeRow, updateRow } from '../../../kit/db/rows.ts'

const list = 'deviceType'
type Asking = Pick<Ctx<never>, 'db' | 'scope'>
type Fields = Omit<BodyOf<typeof deviceType.edit>, 'id'>
type Before = Awaited<ReturnType<typeof store.findType>>

const requireType = async ({ db }: Asking, id: string) => orNotFound(await store.findType(db, id))

/** New parts must be enabled; parts of the stored type may stay. The instruction set must match the protocol. */
async function soundParts({ db }: Asking, fields: Fields, before?: Before) {
  const { protocol, set } = await store.partsOf(db, fields)
  if (protocol === undefined) throw invalid('协议不存在', 'protocolId')
  if (protocol.status !== 1 && protocol.id !== before?.protocol_id) throw invalid('协议已停用', 'protocolId')
  if (fields.instructionSetId !== undefined) {
    if (set === undefined) throw invalid('指令集不存在', 'instructionSetId')
    if (set.status !== 1 && set.id !== before?.instruction_set_id) throw invalid('指令集已停用', 'instructionSetId')
    if (set.protocol_id !== null && set.protocol_id !== protocol.id)
      throw invalid('指令集与所选协议不一致', 'instructionSetId')
  }
  return protocol
}

async function soundTemplate({ db }: Asking, id: string, before?: Before): Promise<void> {
  const template = await store.findTemplate(db, id)
  if (template === undefined) throw invalid('属性模板不存在', 'attributeTemplateId')
  if (template.status !== 1 && id !== before?.attribute_template_id)
    throw invalid('属性模板已停用', 'attributeTemplateId')
}

const columnsOf = (fields: Fields) => ({
  name: fields.name,
  maker: fields.maker ?? null,
  port_count: fields.portCount,
  metering: fields.metering,
  rated_w: fields.ratedW,
  protocol_id: fields.protocolId,
  instruction_set_id: fields.instructionSetId ?? null,
  picture_id: fields.pictureId ?? null,
})

/** Devices copy port count and protocol from their type. */
async function assertDevicesFit(ctx: Asking, fields: Fields, before: NonNullable<Before>, adapter: string | null) {
  const { db } = ctx
  const others = before.protocol_id !== fields.protocolId
  const spoken = others ? (await store.partsOf(db, { protocolId: before.protocol_id })).protocol : undefined
  const speaksAnew = others && spoken?.adapter !== adapter
  if (!speaksAnew && before.port_count === fields.portCount) return
  const devices = await store.devicesEver(db, before.id)
  if (devices > 0) throw conflict(`已有 ${devices} 台设备属于该类型，不能更改${speaksAnew ? '协议' : '端口数'}`)
}

const deviceTypeHandlers: Handlers<typeof deviceType> = {
  all: async ({ db, scope, query: { organiseId } }) => {
    if (organiseId === undefined) return store.everyType(db)
    const deviceTypeList = orNotFound(await store.typesOfOrganise(db, scope, organiseId))
    return { deviceTypeList }
  },
  list: ({ db, scope, query }) => store.listTypes(db, scope, query),

  add: async (ctx) => {
    const { db, actor, body } = ctx
    const { smallCategoryId, modelNo, attributeTemplateId, ...fields } = body
    const small = await store.findSmallCategory(db, smallCategoryId)
    if (small?.parent_id === undefined || small.parent_id === null) throw invalid('设备小类不存在', 'smallCategoryId')
    if (small.disabled) throw invalid('设备小类已停用', 'smallCategoryId')
    await soundParts(ctx, fields)
    if (attributeTemplateId !== undefined) await soundTemplate(ctx, attributeTemplateId)
    const end = modelNo ?? (await store.nextModelNo(db, small.id))
    if (end === undefined) throw conflict('该小类的型号编码已用完')
    const code = `${small.code}-${end}`
    await swapPicture(db, actor, { from: null, to: fields.pictureId ?? null, place: placeOf(actor) })
    const values = {
      ...columnsOf(fields),
      code,
      category_id: small.parent_id,
      small_category_id: small.id,
      attribute_template_id: attributeTemplateId ?? null,
      created_by: actor.userName,
    }
    const id = await insertUnlessDuplicate(db, 'device_type', values, ['code'])
    if (id === undefined) throw conflict(`类型编码 ${code} 已存在`)
    await publishCatalogueChange(ctx, list)
    return { id, code }
  },

  edit: async (ctx) => {
    const { db, actor, body } = ctx
    const { id, ...fields } = body
    const before = await requireType(ctx, id)
    const { adapter } = await soundParts(ctx, fields, before)
    await assertDevicesFit(ctx, fields, before, adapter)
    const pictures = { from: before.picture_id, to: fields.pictureId ?? null, place: placeOf(actor) }
    await swapPicture(db, actor, pictures)
    await updateRow(db, 'device_type', id, columnsOf(fields))
    await publishCatalogueChange(ctx, list)
    return null
  },

  bindTemplate: async (ctx) => {
    const { db, body } = ctx
    const before = await requireType(ctx, body.id)
    if (body.attributeTemplateId !== undefined) await soundTemplate(ctx, body.attributeTemplateId, before)
    await updateRow(db, 'device_type', body.id, { attribute_template_id: body.attributeTemplateId ?? null })
    await publishCatalogueChange(ctx, list)
    return null
  },

  toggle: async (ctx) => {
    const { db, body } = ctx
    await requireType(ctx, body.id)
    await setStatus(db, 'device_type', body, '类型')
    await publishCatalogueChange(ctx, list)
    return null
  },

  remove: async (ctx) => {
    const { db, actor, body } = ctx
    const own = await requireType(ctx, body.id)
    assertUnused(`设备类型「${own.name}」`, { 设备: await store.devicesEver(db, body.id) })
    await removeRow(db, 'device_type', body.id)
    await swapPicture(db, actor, { from: own.picture_id, to: null, place: placeOf(actor) })
    await publishCatalogueChange(ctx, list)
    return null
  },
}

export const deviceTypeFeature = defineFeature(deviceType, deviceTypeHandlers)
