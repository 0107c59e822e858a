import { enabledStatus } from '@wattdeck/contract/common.ts'
import { menuKind, type MenuNode } from '@wattdeck/contract/auth/menu-node.ts'
import { menuForRoles } from '@wattdeck/domain/roles.ts'

/** Hidden: not shown by default, but available. */
export type Shortcut = { key: string; title: string; icon: string | null; path: string; hidden: boolean }
type Leaf = Omit<Shortcut, 'hidden'> & { personal: boolean }
const most = 8

/**
 * The granted menus in the order of the tree; menus that every user has (the personal centre) come last. The first ones
 * are shown by default.
 */
export function shortcutsOf(tree: readonly MenuNode[], roleCodes: readonly string[], here: string): Shortcut[] {
  const leaves = menuForRoles(tree, roleCodes).flatMap((node) => leavesOf(node))
  const others = leaves.filter((leaf) => leaf.path !== here)
  const ordered = [...others.filter((leaf) => !leaf.personal), ...others.filter((leaf) => leaf.personal)]
  return ordered.map(({ key, title, icon, path }, place) => ({ key, title, icon, path, hidden: place >= most }))
}

function leavesOf(node: MenuNode): Leaf[] {
  if (node.status !== enabledStatus.code.enabled || node.kind === menuKind.code.button) return []
  const below = node.childMenus.flatMap((child) => leavesOf(child))
  if (!node.route?.startsWith('/')) return below
  const { menuKey, title, icon, route, alwaysVisible } = node
  return [{ key: menuKey, title, icon, path: route, personal: alwaysVisible }, ...below]
}
