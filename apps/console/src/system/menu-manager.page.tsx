import { later } from '../kit/later.tsx'
import { PlusOutlined } from '@ant-design/icons'
import { enabledStatus } from '@wattdeck/contract/common.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { menuKind, type MenuNode } from '@wattdeck/contract/session/menu-node.ts'
import { menuManager } from '@wattdeck/contract/system/menu-manager.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { Can } from '../kit/Can.tsx'
import * as cells from '../kit/cells.tsx'
import type { Column } from '../kit/columns.ts'
import { CopyId } from '../kit/CopyId.tsx'
import { DataTable } from '../kit/DataTable.tsx'
import { FilterBar } from '../kit/FilterBar.tsx'
import { activeChips, type Filter } from '../kit/filters.ts'
import { useListState } from '../kit/list-state.ts'
import { MenuIcon } from '../kit/menu-icons.tsx'
import { PageFrame } from '../kit/PageFrame.tsx'
import { useList } from '../kit/queries.ts'
import type { RowAction } from '../kit/RowActions.tsx'
import { EmptyPane } from '../kit/States.tsx'
import { useConfirmedSubmit } from '../kit/use-confirm.ts'
import { useSubmit } from '../kit/use-submit.ts'
import { reloadUser } from '../kit/user.ts'
import { toggleOf } from './enabled-toggle.ts'
import { flatMenus } from './menu-choice.ts'
import type { MenuDraft } from './menu-manager.edit-dialog.tsx'
import { useReturnFocus } from './use-return-focus.ts'

const MenuDialog = later(async () => (await import('./menu-manager.edit-dialog.tsx')).MenuDialog)

/** A branch without leaves has no button to open it. */
type MenuRow = Omit<MenuNode, 'childMenus'> & { childMenus?: MenuRow[] }
const toRow = ({ childMenus, ...menu }: MenuNode): MenuRow =>
  childMenus.length === 0 ? menu : { ...menu, childMenus: childMenus.map((child) => toRow(child)) }

const columns: Column<MenuRow>[] = [
  { key: 'title', title: '菜单名称', width: 180, fixed: 'start', render: (row) => row.title },
  { key: 'menuKey', title: '菜单编码', width: 100, render: (row) => <CopyId value={row.menuKey} what="菜单编码" /> },
  { key: 'route', title: '路由', width: 200, render: (row) => cells.text(row.route) },
  { key: 'kind', title: '类型', width: 70, render: (row) => cells.label(menuKind, row.kind) },
  { key: 'icon', title: '图标', width: 120, render: (row) => (row.icon ? <Icon name={row.icon} /> : cells.dash) },
  { key: 'sort', title: '排序', width: 60, align: 'end', render: (row) => cells.count(row.sort) },
  { key: 'alwaysVisible', title: '始终可见', width: 90, render: (row) => (row.alwaysVisible ? '是' : '否') },
  { key: 'status', title: '状态', width: 80, card: 'tag', render: (row) => cells.status(enabledStatus, row.status) },
]

const filters: Filter<QueryOf<typeof menuManager.tree>>[] = [
  { kind: 'text', name: 'title', label: '菜单名称' },
  { kind: 'text', name: 'menuKey', label: '菜单编码' },
  { kind: 'select', name: 'status', label: '状态', options: enabledStatus.options },
]

// The menu beside the page is made of the same rows.
const options = { refresh: [menuManager.tree], onDone: () => void reloadUser() }

export default function MenuManagerPage() {
  const state = useListState(menuManager.tree)
  const [draft, setDraft] = useState<MenuDraft>()
  useReturnFocus(draft !== undefined)
  const tree = useList(menuManager.tree, { query: state.query })
  const move = useSubmit(menuManager.move, options)
  const toggle = useConfirmedSubmit(menuManager.toggle, options)
  const remove = useConfirmedSubmit(menuManager.remove, options)
  const menus = flatMenus(tree.data ?? [])
  const filtered = activeChips(filters, state.query).length > 0

  function rowActions(row: MenuRow): RowAction[] {
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
      { label: '编辑', route: menuManager.edit, onClick: () => setDraft({ menu: row }) },
      { label: '新增下级', route: menuManager.add, onClick: () => setDraft({ parent: row }) },
      moveTo('up'),
      moveTo('down'),
      { label, route: menuManager.toggle, onClick: () => toggle(question, { body: { id: row.id, status } }) },
      {
        label: '删除',
        route: menuManager.remove,
        danger: true,
        disabled: row.childMenus ? '请先删除下级菜单' : undefined,
        onClick: () =>
          remove(
            { title: `确定要删除菜单「${row.title}」吗？`, content: '删除后不可恢复', danger: true, okText: '删除' },
            { body: { id: row.id } },
          ),
      },
    ]
  }

  const add = (
    <Can route={menuManager.add}>
      <Button type="primary" icon={<PlusOutlined />} onClick={() => setDraft({})}>
        新增菜单
      </Button>
    </Can>
  )
  return (
    <PageFrame title="菜单管理" actions={add}>
      <section className="panel list-panel">
        <FilterBar filters={filters} query={state.query} onChange={state.set} onReset={state.reset} />
        <DataTable
          // Branches are open when a table appears, so other rows need a new table.
          key={tree.isPlaceholderData ? '' : JSON.stringify(state.query)}
          listKey="menuManager"
          childrenKey="childMenus"
          columns={columns}
          query={{ ...tree, data: tree.data && { rows: tree.data.map((menu) => toRow(menu)) } }}
          nameOf={(row) => row.title}
          rowActions={rowActions}
          toolbar={tree.data && `共 ${menus.length} 个菜单`}
          empty={<EmptyPane filtered={filtered} onClear={state.reset} />}
        />
      </section>
      {draft && <MenuDialog draft={draft} siblings={menus} {...options} onClose={() => setDraft(undefined)} />}
    </PageFrame>
  )
}

const Icon = ({ name }: { name: string }) => (
  <>
    <MenuIcon name={name} /> {name}
  </>
)
