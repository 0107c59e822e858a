import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { menuKind, type MenuNode } from '@wattdeck/contract/auth/menu-node.ts'
import { menuManager } from '@wattdeck/contract/system/menu-manager.ts'
import type { ReactNode } from 'react'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { MenuIcon, menuIconNames } from '../../../kit/display/menu-icons.tsx'
import { TextField } from '../../../kit/form/fields/TextField.tsx'
import { SelectField } from '../../../kit/form/fields/SelectField.tsx'
import { NumberField } from '../../../kit/form/fields/NumberField.tsx'
import { SwitchField } from '../../../kit/form/fields/SwitchField.tsx'

type Menu = Omit<MenuNode, 'childMenus'>
/** The edited menu: an existing one, a new child of another, or a new top-level menu. */
export type MenuDraft = { menu?: Menu; parent?: Menu }
type Props = {
  draft: MenuDraft
  /** All visible menus, to append a new one after its siblings. */
  siblings: readonly Menu[]
  refresh: readonly AnyRoute[]
  onDone: () => void
  onClose: () => void
}

const withIcon = (option: { value?: string | number; label?: ReactNode }) => (
  <>
    <MenuIcon name={String(option.value)} /> {option.label}
  </>
)
const iconOptions = menuIconNames.map((name) => ({ value: name, label: name }))

function newMenu(parent: Menu | undefined, menus: readonly Menu[]) {
  const beside = menus.filter((menu) => menu.parentId === (parent?.id ?? null))
  return {
    menuKey: parent ? `${parent.menuKey}.` : '',
    kind: parent ? menuKind.code.menu : menuKind.code.directory,
    sort: Math.min(9999, Math.max(0, ...beside.map((menu) => menu.sort)) + 10),
    alwaysVisible: false,
  }
}

const valuesOf = (menu: Menu) => ({
  title: menu.title,
  route: menu.route ?? undefined,
  kind: menu.kind,
  icon: menu.icon ?? undefined,
  sort: menu.sort,
  alwaysVisible: menu.alwaysVisible,
})

function titleOf({ menu, parent }: MenuDraft) {
  if (menu) return `编辑菜单：${menu.title}（${menu.menuKey}）`
  return parent ? `新增下级菜单：${parent.title}` : '新增菜单'
}

export function MenuDialog({ draft, siblings, refresh, onDone, onClose }: Props) {
  const { menu, parent } = draft
  const common = { title: titleOf(draft), columns: 2 as const, size: 780 as const, refresh, onDone, onClose }
  if (menu)
    return (
      <FormDialog {...common} route={menuManager.edit} initial={valuesOf(menu)} also={{ id: menu.id }}>
        <MenuFields />
      </FormDialog>
    )
  return (
    <FormDialog {...common} route={menuManager.add} initial={newMenu(parent, siblings)} also={{ parentId: parent?.id }}>
      <TextField
        name="menuKey"
        label="菜单编码"
        help={parent ? `在上级编码 ${parent.menuKey} 之后增加一级` : '形如 4'}
      />
      <MenuFields />
    </FormDialog>
  )
}

const MenuFields = () => (
  <>
    <TextField name="title" label="菜单名称" />
    <SelectField name="kind" label="类型" options={menuKind.options} />
    <TextField name="route" label="路由" help="目录和按钮无需填写" placeholder="/system/example" />
    <SelectField name="icon" label="图标" allowClear showSearch options={iconOptions} optionRender={withIcon} />
    <NumberField name="sort" label="排序" help="数字小的在前" min={0} max={9999} />
    <SwitchField name="alwaysVisible" label="始终可见" required={false} help="无需授权，所有登录用户可见" />
  </>
)
