import { menuKind, type MenuNode } from '@wattdeck/contract/auth/menu-node.ts'

/** Choosing menus in their tree. A menu is chosen together with those above it, or it would hang in the air. */
export type Ids = ReadonlySet<string>

export const menuIds = (tree: readonly MenuNode[]): string[] =>
  tree.flatMap((node) => [node.id, ...menuIds(node.childMenus)])

export const flatMenus = (tree: readonly MenuNode[]): MenuNode[] =>
  tree.flatMap((node) => [node, ...flatMenus(node.childMenus)])

/** From the top down to the menu itself; nothing when it is not in the tree. */
function pathTo(tree: readonly MenuNode[], id: string): MenuNode[] {
  for (const node of tree) {
    if (node.id === id) return [node]
    const below = pathTo(node.childMenus, id)
    if (below.length > 0) return [node, ...below]
  }
  return []
}

/** The menu and those above it. */
export const withPath = (tree: readonly MenuNode[], chosen: Ids, id: string): Set<string> =>
  new Set([...chosen, ...pathTo(tree, id).map((node) => node.id)])

/** The same, and all below it. */
export const withMenu = (tree: readonly MenuNode[], chosen: Ids, id: string): Set<string> =>
  new Set([...withPath(tree, chosen, id), ...menuIds(pathTo(tree, id).slice(-1))])

/** Directories above that have nothing chosen left in them go too. */
export function withoutMenu(tree: readonly MenuNode[], chosen: Ids, id: string): Set<string> {
  const path = pathTo(tree, id)
  const gone = new Set(menuIds(path.slice(-1)))
  const next = new Set([...chosen].filter((one) => !gone.has(one)))
  for (const above of path.slice(0, -1).toReversed())
    if (above.kind === menuKind.code.directory && !menuIds(above.childMenus).some((one) => next.has(one)))
      next.delete(above.id)
  return next
}

/** How a checkbox stands: a menu of whose branch only a part is chosen is neither on nor off. */
export function checkOf(node: MenuNode, chosen: Ids): 'on' | 'part' | 'off' {
  const branch = menuIds([node])
  if (branch.every((id) => chosen.has(id))) return 'on'
  return branch.some((id) => chosen.has(id)) ? 'part' : 'off'
}

/** Menus that everybody sees are nobody's to give or to limit; `also` keeps those that have something else to choose. */
export const givable = (tree: readonly MenuNode[], also: (node: MenuNode) => boolean = () => false): MenuNode[] =>
  tree.flatMap((node) => {
    const childMenus = givable(node.childMenus, also)
    return !node.alwaysVisible || childMenus.length > 0 || also(node) ? [{ ...node, childMenus }] : []
  })

export const difference = (before: Ids, after: Ids) => ({
  added: [...after].filter((id) => !before.has(id)),
  removed: [...before].filter((id) => !after.has(id)),
})
