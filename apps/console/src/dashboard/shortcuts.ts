import { enabledStatus } from '@wattdeck/contract/common.ts'
import { menuKind, type MenuNode } from '@wattdeck/contract/session/menu-node.ts'
import { menuForRoles } from '@wattdeck/domain/roles.ts'

export type Shortcut = { key: string; title: string; icon: string | null; path: string }
type Leaf = Shortcut & { personal: boolean }
const most = 8

/** The first granted menus, in the order of the tree; what everybody has anyway (the personal centre) comes last. */
export function shortcutsOf(tree: readonly MenuNode[], roleCodes: readonly string[], here: string): Shortcut[] {
  const leaves = menuForRoles(tree, roleCodes).flatMap((node) => leavesOf(node))
  const others = leaves.filter((leaf) => leaf.path !== here)
  const ordered = [...others.filter((leaf) => !leaf.personal), ...others.filter((leaf) => leaf.personal)]
  return ordered.slice(0, most).map(({ key, title, icon, path }) => ({ key, title, icon, path }))
}

function leavesOf(node: MenuNode): Leaf[] {
  if (node.status !== enabledStatus.code.enabled || node.kind === menuKind.code.button) return []
  const below = node.childMenus.flatMap((child) => leavesOf(child))
  if (!node.route?.startsWith('/')) return below
  const { menuKey, title, icon, route, alwaysVisible } = node
  return [{ key: menuKey, title, icon, path: route, personal: alwaysVisible }, ...below]
}
