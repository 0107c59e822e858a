import { enabledStatus } from '@wattdeck/contract/common.ts'
import { menuKind, type MenuNode } from '@wattdeck/contract/auth/menu-node.ts'
import { menuForRoles } from '@wattdeck/domain/roles.ts'

export type MenuItem = { key: string; title: string; icon: string | null; path: string | null; items: MenuItem[] }

/** The entries of the menu: granted, enabled, and with an existing screen. */
export function menuOf(
  tree: readonly MenuNode[],
  roleCodes: readonly string[],
  paths: ReadonlySet<string>,
): MenuItem[] {
  return menuForRoles(tree, roleCodes).flatMap((node) => itemOf(node, paths))
}

function itemOf(node: MenuNode, paths: ReadonlySet<string>): MenuItem[] {
  if (node.status !== enabledStatus.code.enabled || node.kind === menuKind.code.button) return []
  const items = node.childMenus.flatMap((child) => itemOf(child, paths))
  const path = node.route !== null && paths.has(node.route) ? node.route : null
  if (path === null && items.length === 0) return []
  return [{ key: node.menuKey, title: node.title, icon: node.icon, path, items }]
}

export const firstPath = (item: MenuItem): string | null =>
  item.path ?? item.items.map((below) => firstPath(below)).find((path) => path !== null) ?? null

export const leavesOf = (items: readonly MenuItem[]): MenuItem[] =>
  items.flatMap((item) => [...(item.path === null ? [] : [item]), ...leavesOf(item.items)])

export const holdsPath = (item: MenuItem, path: string): boolean =>
  item.path === path || item.items.some((below) => holdsPath(below, path))
