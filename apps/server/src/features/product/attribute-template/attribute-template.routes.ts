import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { attributeTemplate, attributeTemplateCrud } from '@wattdeck/contract/product/attribute-template.ts'
import { valueProblem } from '@wattdeck/domain/attribute-value.ts'
import { sql } from 'kysely'
import { crudHandlers } from '../../../kit/http/crud.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { conflict, invalid, notFound, orNotFound } from '../../../kit/http/refusal.ts'
import { assertUnused, publishCatalogueChange } from '../_shared/catalogue.ts'
import * as store from './attribute-template.store.ts'
import * as items from './template-item.store.ts'
import { insertUnlessDuplicate, rowExists } from '../../../kit/db/rows.ts'

const list = 'attributeTemplate'
const duplicateName = '模板名称已存在'
type Asking = Pick<Ctx<never>, 'db' | 'scope'>

const requireTemplate = async ({ db }: Asking, id: string) => orNotFound(await store.findTemplate(db, id))

const columnsOf = ({ name, version, remark }: BodyOf<typeof attributeTemplate.add>) => ({
  name,
  version,
  remark: remark ?? null,
})

/** Requires each attribute only once, enabled or already in the template, and with a valid default. */
async function soundItems({ db }: Asking, { id, items: rows }: BodyOf<typeof attributeTemplate.saveItems>) {
  const ids = rows.map((item) => item.attributeId)
  if (new Set(ids).size !== ids.length) throw invalid('模板中的属性不能重复')
  const [attributes, before] = await Promise.all([items.attributesNamed(db, ids), items.itemsOf(db, id)])
  const byId = new Map(attributes.map((attribute) => [attribute.attributeId, attribute]))
  const existingIds = new Set(before.map((item) => item.attributeId))
  for (const { attributeId, defaultValue } of rows) {
    const attribute = orNotFound(byId.get(attributeId))
    if (attribute.status !== 1 && !existingIds.has(attributeId)) throw conflict(`属性「${attribute.name}」已停用`)
    const problem = defaultValue === undefined ? undefined : valueProblem(attribute, defaultValue)
    if (problem !== undefined) throw invalid(`「${attribute.name}」的默认值${problem}`)
  }
}

const attributeTemplateHandlers: Handlers<typeof attributeTemplate> = {
  ...crudHandlers(attributeTemplateCrud, {
    table: 'attribute_template',
    computed: {
      typeNames: sql`array(select type.name from device_type type
        where type.attribute_template_id = attribute_template.id order by type.code)`,
      attributeCount: sql`(select count(*)::int from attribute_template_item item
        where item.attribute_template_id = attribute_template.id)`,
      groupNames: sql`array(select attribute.group_name from attribute_template_item item
        join platform_attribute attribute on attribute.id = item.platform_attribute_id
        where item.attribute_template_id = attribute_template.id
        group by attribute.group_name order by min(item.sort))`,
    },
    own: store.matchTemplates,
    guards: {
      remove: async ({ db }, { id, name }) =>
        assertUnused(`模板「${name}」`, { 设备类型: await store.typesUsing(db, id) }),
    },
  }),

  options: ({ db }) => store.templateOptions(db),

  copy: async (ctx) => {
    const { db, actor, body } = ctx
    const from = await requireTemplate(ctx, body.id)
    const id = await insertUnlessDuplicate(
      db,
      'attribute_template',
      { ...columnsOf(body), created_by: actor.userName },
      ['name'],
    )
    if (id === undefined) throw conflict(duplicateName)
    await items.copyItems(db, from.id, id)
    await publishCatalogueChange(ctx, list)
    return { id }
  },

  items: async ({ db, params }) => {
    if (!(await rowExists(db, 'attribute_template', { id: params.id }))) throw notFound()
    return items.itemsOf(db, params.id)
  },

  attributes: ({ db }) => items.attributesInUse(db),

  saveItems: async (ctx) => {
    const { db, body } = ctx
    await requireTemplate(ctx, body.id)
    await soundItems(ctx, body)
    await items.setItems(db, body.id, body.items)
    await publishCatalogueChange(ctx, list)
    return null
  },
}

export const attributeTemplateFeature = defineFeature(attributeTemplate, attributeTemplateHandlers)
