import type { MenuNode } from '@wattdeck/contract/auth/menu-node.ts'
import { useMenuPath, useScreen } from './current-screen.ts'
import { useUser } from '../api/user.ts'

/** The titles from the centre down to the menu with this path; none when the path is in no menu. */
export function breadcrumbTo(tree: readonly MenuNode[], path: string): string[] {
  for (const node of tree) {
    if (node.route === path) return [node.title]
    const below = breadcrumbTo(node.childMenus, path)
    if (below.length > 0) return [node.title, ...below]
  }
  return []
}

export function useBreadcrumb(): string[] {
  const screen = useScreen()
  const trail = breadcrumbTo(useUser()?.menuTree ?? [], useMenuPath())
  // On the page of an object the name of the object is the last part.
  if (screen?.under === undefined || screen.object !== undefined || trail.length === 0) return trail
  return [...trail, screen.title]
}
