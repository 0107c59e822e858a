import { menuKind, type MenuNode } from '@wattdeck/contract/auth/menu-node.ts'

/** Selection of menus in their tree. A selected menu includes its ancestors, because it is unreachable without them. */
export type Ids = ReadonlySet<string>

export const menuIds = (tree: readonly MenuNode[]): string[] =>
  tree.flatMap((node) => [node.id, ...menuIds(node.childMenus)])

export const flatMenus = (tree: readonly MenuNode[]): MenuNode[] =>
  tree.flatMap((node) => [node, ...flatMenus(node.childMenus)])

/** From the root to the menu; empty when it is not in the tree. */
function pathTo(tree: readonly MenuNode[], id: string): MenuNode[] {
  for (const node of tree) {
    if (node.id === id) return [node]
    const below = pathTo(node.childMenus, id)
    if (below.length > 0) return [node, ...below]
  }
  return []
}

/** The menu and its ancestors. */
export const withPath = (tree: readonly MenuNode[], chosen: Ids, id: string): Set<string> =>
  new Set([...chosen, ...pathTo(tree, id).map((node) => node.id)])

/** The same with all its children. */
export const withMenu = (tree: readonly MenuNode[], chosen: Ids, id: string): Set<string> =>
  new Set([...withPath(tree, chosen, id), ...menuIds(pathTo(tree, id).slice(-1))])

/** Also removes directories above that become empty. */
export function withoutMenu(tree: readonly MenuNode[], chosen: Ids, id: string): Set<string> {
  const path = pathTo(tree, id)
  const removedIds = new Set(menuIds(path.slice(-1)))
  const next = new Set([...chosen].filter((one) => !removedIds.has(one)))
  for (const above of path.slice(0, -1).toReversed())
    if (above.kind === menuKind.code.directory && !menuIds(above.childMenus).some((one) => next.has(one)))
      next.delete(above.id)
  return next
}

/** The state of a checkbox: a partly selected branch is indeterminate. */
export function checkOf(node: MenuNode, chosen: Ids): 'on' | 'part' | 'off' {
  const branch = menuIds([node])
  if (branch.every((id) => chosen.has(id))) return 'on'
  return branch.some((id) => chosen.has(id)) ? 'part' : 'off'
}

/** Menus visible to every user cannot be granted or limited; `also` keeps those with other choices. */
export const givable = (tree: readonly MenuNode[], also: (node: MenuNode) => boolean = () => false): MenuNode[] =>
  tree.flatMap((node) => {
    const childMenus = givable(node.childMenus, also)
    return !node.alwaysVisible || childMenus.length > 0 || also(node) ? [{ ...node, childMenus }] : []
  })

export const difference = (before: Ids, after: Ids) => ({
  added: [...after].filter((id) => !before.has(id)),
  removed: [...before].filter((id) => !after.has(id)),
})
