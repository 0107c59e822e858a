import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import {
  attributeType,
  platformAttribute,
  platformAttributeList,
} from '@wattdeck/contract/product/platform-attribute.ts'
import { optionsOf, valueProblem } from '@wattdeck/domain/attribute-value.ts'
import { setStatus } from '../../../kit/http/set-status.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { conflict, invalid, orNotFound } from '../../../kit/http/refusal.ts'
import { assertUnused, publishCatalogueChange } from '../_shared/catalogue.ts'
import * as store from './platform-attribute.store.ts'
import { insertUnlessDuplicate, removeRow, updateRow } from '../../../kit/db/rows.ts'

const list = 'platformAttribute'

const requireAttribute = async ({ db }: Pick<Ctx<never>, 'db' | 'scope'>, id: string) =>
  orNotFound(await store.findAttribute(db, id))

type Fields = Omit<BodyOf<typeof platformAttribute.edit>, 'id'>

/** Columns from the form, without the fields that the type does not use. */
function columnsOf(fields: Fields) {
  const { dataType } = fields
  const isNumber = dataType === attributeType.code.integer || dataType === attributeType.code.decimal
  const minimum = isNumber ? (fields.minimum ?? null) : null
  const maximum = isNumber ? (fields.maximum ?? null) : null
  if (minimum !== null && maximum !== null && minimum > maximum) throw invalid('最大值不能小于最小值', 'maximum')
  const options = dataType === attributeType.code.choice ? (optionsOf(fields.options ?? '') ?? []) : []
  if (dataType === attributeType.code.choice && options.length === 0) throw invalid('请填写枚举值', 'options')
  const { defaultValue } = fields
  const problem =
    defaultValue === undefined ? undefined : valueProblem({ dataType, minimum, maximum, options }, defaultValue)
  if (problem !== undefined) throw invalid(`默认值${problem}`, 'defaultValue')
  return {
    name: fields.name,
    data_type: dataType,
    unit: isNumber ? (fields.unit ?? null) : null,
    minimum,
    maximum,
    options,
    default_value: defaultValue ?? null,
    access: fields.access,
    group_name: fields.groupName,
  }
}

const stored = ({ options, ...values }: ReturnType<typeof columnsOf>) => ({
  ...values,
  options: JSON.stringify(options),
})

const platformAttributeHandlers: Handlers<typeof platformAttribute> = {
  list: ({ db, scope, query }) => listQuery(db, scope, platformAttributeList, store.attributeSource, query),
  groups: ({ db }) => store.groupNames(db),

  add: async (ctx) => {
    const { db, actor, body } = ctx
    const values = { ...stored(columnsOf(body)), identifier: body.identifier, created_by: actor.userName }
    const id = await insertUnlessDuplicate(db, 'platform_attribute', values, ['identifier'])
    if (id === undefined) throw conflict('属性标识已存在')
    await publishCatalogueChange(ctx, list)
    return { id }
  },

  edit: async (ctx) => {
    const { db, body } = ctx
    const before = await requireAttribute(ctx, body.id)
    const values = columnsOf(body)
    const defaults = await store.templateDefaults(db, body.id)
    if (before.data_type !== values.data_type && defaults.length > 0)
      throw conflict(`该属性正被 ${defaults.length} 个模板使用，不能更改数据类型`)
    const range = { ...values, dataType: values.data_type }
    const unfit = defaults.filter((value) => value !== null && valueProblem(range, value) !== undefined)
    if (unfit.length > 0) throw conflict(`有 ${unfit.length} 个模板中的默认值不符合新的取值范围，请先修改模板`)
    await updateRow(db, 'platform_attribute', body.id, stored(values))
    await publishCatalogueChange(ctx, list)
    return null
  },

  toggle: async (ctx) => {
    const { db, body } = ctx
    await requireAttribute(ctx, body.id)
    await setStatus(db, 'platform_attribute', body, '属性')
    await publishCatalogueChange(ctx, list)
    return null
  },

  remove: async (ctx) => {
    const { db, body } = ctx
    const own = await requireAttribute(ctx, body.id)
    const templates = await store.templateDefaults(db, body.id)
    assertUnused(`属性「${own.name}」`, { 属性模板: templates.length })
    await removeRow(db, 'platform_attribute', body.id)
    await publishCatalogueChange(ctx, list)
    return null
  },
}

export const platformAttributeFeature = defineFeature(platformAttribute, platformAttributeHandlers)
