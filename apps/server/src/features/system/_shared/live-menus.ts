import type { MenuNode } from '@wattdeck/contract/auth/menu-node.ts'

export type MenuRow = Omit<MenuNode, 'childMenus'>

/** Ids of the effective menus: a menu below a disabled one is disabled, too. */
export function liveMenuIds(menus: readonly MenuRow[]): Set<string> {
  const byId = new Map(menus.map((menu) => [menu.id, menu]))
  const isLive = (menu: MenuRow | undefined): boolean =>
    menu !== undefined && menu.status === 1 && (menu.parentId === null || isLive(byId.get(menu.parentId)))
  return new Set(menus.filter(isLive).map((menu) => menu.id))
}
