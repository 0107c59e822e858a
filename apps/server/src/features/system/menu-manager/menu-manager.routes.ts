import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { menuManager } from '@wattdeck/contract/system/menu-manager.ts'
import { isSuperAdmin } from '@wattdeck/domain/roles.ts'
import { setStatus } from '../../../kit/http/set-status.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { loadMenus, menuTree } from '../../../kit/auth/menus.ts'
import { conflict, invalid, notFound, orNotFound } from '../../../kit/http/refusal.ts'
import { assertHolds, rightsOf } from '../../../kit/auth/rights.ts'
import type { MenuRow } from '../_shared/live-menus.ts'
import { assertPlatformAdmin } from '../_shared/platform-admin.ts'
import * as store from './menu-manager.store.ts'
import { movedByOne, orderRows, removeRow, rowExists } from '../../../kit/db/rows.ts'

const matches = (menu: MenuRow, filter: QueryOf<typeof menuManager.tree>) =>
  menu.title.includes(filter.title ?? '') &&
  menu.menuKey.startsWith(filter.menuKey ?? '') &&
  (filter.status === undefined || menu.status === filter.status)

/** Without these menus the menu manager could not be reached to restore them. */
const leadsHere = (key: string) => menuKey.menuManager === key || menuKey.menuManager.startsWith(`${key}.`)

/** '1.1' has '1.1.7' below it, and neither '1.2' nor '1.1.7.1'. */
const extendsByOne = (key: string, parentKey: string | undefined) => {
  const cut = key.lastIndexOf('.')
  return parentKey === undefined ? cut === -1 : key.slice(0, Math.max(cut, 0)) === parentKey
}

const menuManagerHandlers: Handlers<typeof menuManager> = {
  tree: async ({ db, actor, query }) => {
    const menuKeys = new Set(actor.menuKeys)
    const all = isSuperAdmin(actor)
    return menuTree(await loadMenus(db), (menu) => (all || menuKeys.has(menu.menuKey)) && matches(menu, query))
  },

  userTree: async ({ db, scope, actor, params: { userId } }) => {
    const own = userId === actor.userId
    if (!own && !(await rowExists(db, 'user_account', { id: userId, deleted_at: null }))) throw notFound()
    const menuKeys = new Set((own ? actor : await rightsOf(db, scope, userId)).menuKeys)
    return menuTree(await loadMenus(db), (menu) => menuKeys.has(menu.menuKey))
  },

  add: async ({ db, actor, body }) => {
    assertPlatformAdmin(actor)
    const parent = body.parentId === undefined ? undefined : await store.findMenu(db, body.parentId)
    if (body.parentId !== undefined && parent === undefined) throw notFound()
    if (!extendsByOne(body.menuKey, parent?.menu_key)) throw invalid('菜单编码须在上级编码之后增加一级', 'menuKey')
    // Always visible is a grant to every user.
    if (body.alwaysVisible) assertHolds(actor, { menuKeys: [body.menuKey], grants: [], unmask: false })
    const id = await store.addMenu(db, { ...body, parentId: parent?.id ?? null })
    if (id === undefined) throw conflict('菜单编码已存在')
    return { id }
  },

  edit: async ({ db, actor, body }) => {
    assertPlatformAdmin(actor)
    const menu = orNotFound(await store.findMenu(db, body.id))
    if (body.alwaysVisible && !menu.always_visible)
      assertHolds(actor, { menuKeys: [menu.menu_key], grants: [], unmask: false })
    await store.editMenu(db, body.id, body)
    return null
  },

  toggle: async ({ db, actor, body }) => {
    assertPlatformAdmin(actor)
    const menu = orNotFound(await store.findMenu(db, body.id))
    if (body.status === 0 && leadsHere(menu.menu_key)) throw conflict('菜单管理及其上级菜单不能停用')
    await setStatus(db, 'menu', body, '菜单')
    return null
  },

  move: async ({ db, actor, body }) => {
    assertPlatformAdmin(actor)
    const menu = orNotFound(await store.findMenu(db, body.id))
    const ids = await store.siblingIds(db, menu.parent_id)
    const moved = movedByOne(ids, body)
    if (moved === undefined) throw conflict(body.direction === 'up' ? '已经是第一个菜单' : '已经是最后一个菜单')
    await orderRows(db, 'menu', moved)
    return null
  },

  remove: async ({ db, actor, body }) => {
    assertPlatformAdmin(actor)
    const menu = orNotFound(await store.findMenu(db, body.id))
    if (leadsHere(menu.menu_key)) throw conflict('菜单管理及其上级菜单不能删除')
    const uses = await store.menuUses(db, body.id)
    if (uses.below) throw conflict('请先删除下级菜单')
    if (uses.resource) throw conflict('该菜单下还有资源，不能删除')
    // A department without menus has no ceiling, so removing its last menu would grant its users more.
    if (uses.only_ceiling) throw conflict('有部门仅分配了该菜单，请先调整部门菜单')
    await removeRow(db, 'menu', body.id)
    return null
  },
}

export const menuManagerFeature = defineFeature(menuManager, menuManagerHandlers)
