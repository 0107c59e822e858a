import { categoryLevel, deviceCategory } from '@wattdeck/contract/product/device-category.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { conflict, orNotFound } from '../../../kit/http/refusal.ts'
import { assertUnused, publishCatalogueChange } from '../_shared/catalogue.ts'
import * as store from './device-category.store.ts'
import { insertUnlessDuplicate, removeRow, switchColumn, updateRow } from '../../../kit/db/rows.ts'

const list = 'deviceCategory'

const requireCategory = async ({ db }: Pick<Ctx<never>, 'db' | 'scope'>, id: string) =>
  orNotFound(await store.findCategory(db, id))

const deviceCategoryHandlers: Handlers<typeof deviceCategory> = {
  bigList: ({ db, query }) => store.categoriesOf(db, query),

  smallList: async ({ db, params }) => {
    const big = orNotFound(await store.bigCategory(db, params.code))
    return store.categoriesOf(db, { level: categoryLevel.code.small, disabled: false, parentId: big.id })
  },

  tree: async ({ db }) => {
    const rows = await store.everyCategory(db)
    const below = (id: string | null) =>
      rows
        .filter((row) => row.parentId === id)
        .map(({ id: own, code, name, disabled }) => ({ id: own, code, name, disabled }))
    return below(null).map((big) => ({ ...big, children: below(big.id) }))
  },

  list: ({ db, scope, query }) => store.listCategories(db, scope, query),

  add: async (ctx) => {
    const { db, actor, body } = ctx
    const { parentId, code, name, icon, sort } = body
    const above = parentId === undefined ? undefined : await requireCategory(ctx, parentId)
    if (above !== undefined && above.level !== categoryLevel.code.big) throw conflict('小类下不能再添加分类')
    const values = {
      parent_id: above?.id ?? null,
      level: above === undefined ? categoryLevel.code.big : categoryLevel.code.small,
      code: above === undefined ? code : `${above.code}-${code}`,
      name,
      icon: icon ?? null,
      sort: sort ?? 0,
      created_by: actor.userName,
    }
    const id = await insertUnlessDuplicate(db, 'device_category', values, ['code'])
    if (id === undefined) throw conflict('分类编码已存在')
    await publishCatalogueChange(ctx, list)
    return { id }
  },

  edit: async (ctx) => {
    const { db, body } = ctx
    await requireCategory(ctx, body.id)
    const { name, icon, sort } = body
    await updateRow(db, 'device_category', body.id, { name, icon: icon ?? null, sort: sort ?? 0 })
    await publishCatalogueChange(ctx, list)
    return null
  },

  toggle: async (ctx) => {
    const { db, body } = ctx
    await requireCategory(ctx, body.id)
    if (!(await switchColumn(db, 'device_category', body.id, 'disabled', body.disabled)))
      throw conflict('分类状态已变更，请刷新后重试')
    await publishCatalogueChange(ctx, list)
    return null
  },

  remove: async (ctx) => {
    const { db, body } = ctx
    const own = await requireCategory(ctx, body.id)
    const { small, types } = await store.categoryUses(db, body.id)
    assertUnused(`分类「${own.name}」`, { 小类: small, 设备类型: types })
    await removeRow(db, 'device_category', body.id)
    await publishCatalogueChange(ctx, list)
    return null
  },
}

export const deviceCategoryFeature = defineFeature(deviceCategory, deviceCategoryHandlers)
