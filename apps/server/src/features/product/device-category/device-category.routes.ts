import { categoryLevel, deviceCategory } from '@wattdeck/contract/product/device-category.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { conflict, notFound } from '../../../kit/http/refusal.ts'
import { assertUnused, tellChanged } from '../_shared/catalogue.ts'
import * as store from './device-category.store.ts'

const list = 'deviceCategory'

async function known({ db, scope }: Pick<Ctx<never>, 'db' | 'scope'>, id: string) {
  const found = await store.findCategory(db, scope, id)
  if (found === undefined) throw notFound()
  return found
}

const deviceCategoryHandlers: Handlers<typeof deviceCategory> = {
  bigList: ({ db, scope, query }) => store.categoriesOf(db, scope, query),

  smallList: async ({ db, scope, params }) => {
    const big = await store.bigCategory(db, scope, params.code)
    if (big === undefined) throw notFound()
    return store.categoriesOf(db, scope, { level: categoryLevel.code.small, disabled: false, parentId: big.id })
  },

  tree: async ({ db, scope }) => {
    const rows = await store.everyCategory(db, scope)
    const below = (id: string | null) =>
      rows
        .filter((row) => row.parentId === id)
        .map(({ id: own, code, name, disabled }) => ({ id: own, code, name, disabled }))
    return below(null).map((big) => ({ ...big, children: below(big.id) }))
  },

  list: ({ db, scope, query }) => store.listCategories(db, scope, query),

  add: async (ctx) => {
    const { db, scope, actor, body } = ctx
    const { parentId, code, name, icon, sort } = body
    const above = parentId === undefined ? undefined : await known(ctx, parentId)
    if (above !== undefined && above.level !== categoryLevel.code.big) throw conflict('小类下不能再添加分类')
    const id = await store.addCategory(db, scope, {
      parent_id: above?.id ?? null,
      level: above === undefined ? categoryLevel.code.big : categoryLevel.code.small,
      code: above === undefined ? code : `${above.code}-${code}`,
      name,
      icon: icon ?? null,
      sort: sort ?? 0,
      created_by: actor.userName,
    })
    if (id === undefined) throw conflict('分类编码已存在')
    await tellChanged(ctx, list)
    return { id }
  },

  edit: async (ctx) => {
    const { db, scope, body } = ctx
    await known(ctx, body.id)
    const { name, icon, sort } = body
    await store.changeCategory(db, scope, body.id, { name, icon: icon ?? null, sort: sort ?? 0 })
    await tellChanged(ctx, list)
    return null
  },

  toggle: async (ctx) => {
    const { db, scope, body } = ctx
    await known(ctx, body.id)
    if (!(await store.setDisabled(db, scope, body.id, body.disabled))) throw conflict('分类状态已变更，请刷新后重试')
    await tellChanged(ctx, list)
    return null
  },

  remove: async (ctx) => {
    const { db, scope, body } = ctx
    const own = await known(ctx, body.id)
    const { small, types } = await store.categoryUses(db, scope, body.id)
    assertUnused(`分类「${own.name}」`, { 小类: small, 设备类型: types })
    await store.removeCategory(db, scope, body.id)
    await tellChanged(ctx, list)
    return null
  },
}

export const deviceCategoryFeature = defineFeature(deviceCategory, deviceCategoryHandlers)
