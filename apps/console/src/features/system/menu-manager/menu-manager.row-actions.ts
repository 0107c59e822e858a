import type { MenuNode } from '@wattdeck/contract/auth/menu-node.ts'
import { menuManager } from '@wattdeck/contract/system/menu-manager.ts'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useConfirmedSubmit, removal } from '../../../kit/form/use-confirm.ts'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { reloadUser } from '../../../kit/api/user.ts'
import { toggleOf } from '../../../kit/list/enabled-toggle.ts'
import type { MenuDraft } from './menu-manager.edit-dialog.tsx'

/** Leaves have no children property, so the table shows no expand button. */
export type MenuRow = Omit<MenuNode, 'childMenus'> & { childMenus?: MenuRow[] }
export const toRow = ({ childMenus, ...menu }: MenuNode): MenuRow =>
  childMenus.length === 0 ? menu : { ...menu, childMenus: childMenus.map((child) => toRow(child)) }

// The menu of the shell uses the same rows.
export const menuChanges = { refresh: [menuManager.tree], onDone: () => void reloadUser() }

type Props = {
  /** All visible menus, in order. */
  menus: readonly MenuNode[]
  filtered: boolean
  edit: (draft: MenuDraft) => void
}

/** The actions on one menu. */
export function useMenuActions({ menus, filtered, edit }: Props) {
  const move = useSubmit(menuManager.move, menuChanges)
  const toggle = useConfirmedSubmit(menuManager.toggle, menuChanges)
  const remove = useConfirmedSubmit(menuManager.remove, menuChanges)

  return function rowActions(row: MenuRow): RowAction[] {
    const siblings = menus.filter((menu) => menu.parentId === row.parentId)
    const { label, question, status } = toggleOf(row.status, `菜单「${row.title}」`, '停用后其下级菜单也不再显示')
    const moveTo = (direction: 'up' | 'down') => {
      const last = direction === 'up' ? siblings.at(0) : siblings.at(-1)
      const atEnd = last?.id === row.id ? `已经是${direction === 'up' ? '第' : '最后'}一个菜单` : undefined
      return {
        label: direction === 'up' ? '上移' : '下移',
        route: menuManager.move,
        disabled: filtered ? '请先清除筛选再调整顺序' : atEnd,
        onClick: () => void move.run({ body: { id: row.id, direction } }),
      }
    }
    return [
      { label: '编辑', route: menuManager.edit, onClick: () => edit({ menu: row }) },
      { label: '新增下级', route: menuManager.add, onClick: () => edit({ parent: row }) },
      moveTo('up'),
      moveTo('down'),
      { label, route: menuManager.toggle, onClick: () => toggle(question, { body: { id: row.id, status } }) },
      {
        label: '删除',
        route: menuManager.remove,
        danger: true,
        disabled: row.childMenus ? '请先删除下级菜单' : undefined,
        onClick: () => remove(removal(`菜单「${row.title}」`), { body: { id: row.id } }),
      },
    ]
  }
}
