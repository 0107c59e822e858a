import type { MenuNode } from '@wattdeck/contract/auth/menu-node.ts'
import type { Db } from '../db/db.ts'

type MenuRow = Omit<MenuNode, 'childMenus'>

/** All menus in display order. */
export function loadMenus(db: Db): Promise<MenuRow[]> {
  return db
    .selectFrom('menu')
    .select([
      'id',
      'parent_id as parentId',
      'menu_key as menuKey',
      'title',
      'route',
      'kind',
      'icon',
      'sort',
      'always_visible as alwaysVisible',
      'status',
    ])
    .orderBy('sort')
    .orderBy('id')
    .$narrowType<Pick<MenuRow, 'kind' | 'status'>>()
    .execute()
}

/** The tree of the selected menus and their ancestors. */
export function menuTree(rows: readonly MenuRow[], isSelected: (row: MenuRow) => boolean): MenuNode[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const selectedIds = new Set<string>()
  for (const row of rows) {
    if (!isSelected(row)) continue
    for (
      let at: MenuRow | undefined = row;
      at !== undefined && !selectedIds.has(at.id);
      at = byId.get(at.parentId ?? '')
    )
      selectedIds.add(at.id)
  }
  const below = (parentId: string | null): MenuNode[] =>
    rows
      .filter((row) => row.parentId === parentId && selectedIds.has(row.id))
      .map((row) => ({ ...row, childMenus: below(row.id) }))
  return below(null)
}
