import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import {
  attributeType,
  platformAttribute,
  platformAttributeList,
} from '@wattdeck/contract/product/platform-attribute.ts'
import { optionsOf, valueProblem } from '@wattdeck/domain/attribute-value.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { conflict, invalid, notFound } from '../../../kit/http/refusal.ts'
import { assertUnused, tellChanged } from '../_shared/catalogue.ts'
import * as store from './platform-attribute.store.ts'

const list = 'platformAttribute'

async function known({ db }: Pick<Ctx<never>, 'db' | 'scope'>, id: string) {
  const found = await store.findAttribute(db, id)
  if (found === undefined) throw notFound()
  return found
}

type Fields = Omit<BodyOf<typeof platformAttribute.edit>, 'id'>

/** What a form says of an attribute, without what its type has no use for. */
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

const platformAttributeHandlers: Handlers<typeof platformAttribute> = {
  list: ({ db, scope, query }) => listQuery(db, scope, platformAttributeList, store.attributeSource, query),
  groups: ({ db }) => store.groupNames(db),

  add: async (ctx) => {
    const { db, actor, body } = ctx
    const values = { ...columnsOf(body), identifier: body.identifier, created_by: actor.userName }
    const id = await store.addAttribute(db, values)
    if (id === undefined) throw conflict('属性标识已存在')
    await tellChanged(ctx, list)
    return { id }
  },

  edit: async (ctx) => {
    const { db, body } = ctx
    const before = await known(ctx, body.id)
    const values = columnsOf(body)
    const defaults = await store.templateDefaults(db, body.id)
    if (before.data_type !== values.data_type && defaults.length > 0)
      throw conflict(`该属性正被 ${defaults.length} 个模板使用，不能更改数据类型`)
    const range = { ...values, dataType: values.data_type }
    const unfit = defaults.filter((value) => value !== null && valueProblem(range, value) !== undefined)
    if (unfit.length > 0) throw conflict(`有 ${unfit.length} 个模板中的默认值不符合新的取值范围，请先修改模板`)
    await store.changeAttribute(db, body.id, values)
    await tellChanged(ctx, list)
    return null
  },

  toggle: async (ctx) => {
    const { db, body } = ctx
    await known(ctx, body.id)
    if (!(await store.setStatus(db, body.id, body.status))) throw conflict('属性状态已变更，请刷新后重试')
    await tellChanged(ctx, list)
    return null
  },

  remove: async (ctx) => {
    const { db, body } = ctx
    const own = await known(ctx, body.id)
    const templates = await store.templateDefaults(db, body.id)
    assertUnused(`属性「${own.name}」`, { 属性模板: templates.length })
    await store.removeAttribute(db, body.id)
    await tellChanged(ctx, list)
    return null
  },
}

export const platformAttributeFeature = defineFeature(platformAttribute, platformAttributeHandlers)
