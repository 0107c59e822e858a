import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { attributeTemplate } from '@wattdeck/contract/product/attribute-template.ts'
import { valueProblem } from '@wattdeck/domain/attribute-value.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { conflict, invalid, notFound } from '../../../kit/http/refusal.ts'
import { assertUnused, tellChanged } from '../_shared/catalogue.ts'
import * as store from './attribute-template.store.ts'
import * as items from './template-item.store.ts'

const list = 'attributeTemplate'
const nameTaken = '模板名称已存在'
type Asking = Pick<Ctx<never>, 'db' | 'scope'>

async function known({ db }: Asking, id: string) {
  const found = await store.findTemplate(db, id)
  if (found === undefined) throw notFound()
  return found
}

const columnsOf = ({ name, version, remark }: BodyOf<typeof attributeTemplate.add>) => ({
  name,
  version,
  remark: remark ?? null,
})

/** Each attribute once, there, in use or kept from before, with a default that it takes. */
async function soundItems({ db }: Asking, { id, items: wanted }: BodyOf<typeof attributeTemplate.saveItems>) {
  const ids = wanted.map((item) => item.attributeId)
  if (new Set(ids).size !== ids.length) throw invalid('模板中的属性不能重复')
  const [found, before] = await Promise.all([items.attributesNamed(db, ids), items.itemsOf(db, id)])
  const byId = new Map(found.map((attribute) => [attribute.attributeId, attribute]))
  const kept = new Set(before.map((item) => item.attributeId))
  for (const { attributeId, defaultValue } of wanted) {
    const attribute = byId.get(attributeId)
    if (attribute === undefined) throw notFound()
    if (attribute.status !== 1 && !kept.has(attributeId)) throw conflict(`属性「${attribute.name}」已停用`)
    const problem = defaultValue === undefined ? undefined : valueProblem(attribute, defaultValue)
    if (problem !== undefined) throw invalid(`「${attribute.name}」的默认值${problem}`)
  }
}

const attributeTemplateHandlers: Handlers<typeof attributeTemplate> = {
  list: ({ db, query }) => store.listTemplates(db, query),
  options: ({ db }) => store.templateOptions(db),

  add: async (ctx) => {
    const { db, actor, body } = ctx
    const id = await store.addTemplate(db, { ...columnsOf(body), created_by: actor.userName })
    if (id === undefined) throw conflict(nameTaken)
    await tellChanged(ctx, list)
    return { id }
  },

  edit: async (ctx) => {
    const { db, body } = ctx
    await known(ctx, body.id)
    if (await store.nameTaken(db, body.id, body.name)) throw conflict(nameTaken)
    await store.changeTemplate(db, body.id, columnsOf(body))
    await tellChanged(ctx, list)
    return null
  },

  copy: async (ctx) => {
    const { db, actor, body } = ctx
    const from = await known(ctx, body.id)
    const id = await store.addTemplate(db, { ...columnsOf(body), created_by: actor.userName })
    if (id === undefined) throw conflict(nameTaken)
    await items.copyItems(db, from.id, id)
    await tellChanged(ctx, list)
    return { id }
  },

  toggle: async (ctx) => {
    const { db, body } = ctx
    await known(ctx, body.id)
    if (!(await store.setStatus(db, body.id, body.status))) throw conflict('模板状态已变更，请刷新后重试')
    await tellChanged(ctx, list)
    return null
  },

  remove: async (ctx) => {
    const { db, body } = ctx
    const own = await known(ctx, body.id)
    assertUnused(`模板「${own.name}」`, { 设备类型: await store.typesUsing(db, body.id) })
    await store.removeTemplate(db, body.id)
    await tellChanged(ctx, list)
    return null
  },

  items: async ({ db, params }) => {
    if (!(await store.templateExists(db, params.id))) throw notFound()
    return items.itemsOf(db, params.id)
  },

  attributes: ({ db }) => items.attributesInUse(db),

  saveItems: async (ctx) => {
    const { db, body } = ctx
    await known(ctx, body.id)
    await soundItems(ctx, body)
    await items.setItems(db, body.id, body.items)
    await tellChanged(ctx, list)
    return null
  },
}

export const attributeTemplateFeature = defineFeature(attributeTemplate, attributeTemplateHandlers)
