import { PlusOutlined } from '@ant-design/icons'
import { enabledStatus } from '@wattdeck/contract/common.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { menuKind } from '@wattdeck/contract/auth/menu-node.ts'
import { menuManager } from '@wattdeck/contract/system/menu-manager.ts'
import { Button } from 'antd'
import { Can } from '../../../kit/api/Can.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { DataTable } from '../../../kit/list/DataTable.tsx'
import { FilterBar } from '../../../kit/list/FilterBar.tsx'
import { activeChips, type Filter } from '../../../kit/list/filters.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { useListState } from '../../../kit/list/list-state.ts'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import { useList } from '../../../kit/api/queries.ts'
import { EmptyPane } from '../../../kit/display/States.tsx'
import { flatMenus } from '../privilege/menu-choice.ts'
import type { MenuDraft } from './menu-manager.edit-dialog.tsx'
import { menuChanges, type MenuRow, toRow, useMenuActions } from './menu-manager.row-actions.ts'
import { useOpen } from '../../../kit/form/use-return-focus.ts'

// Dozens of icons, which the table can render without at first.
const MenuIcon = lazyPart(async () => (await import('../../../kit/display/menu-icons.tsx')).MenuIcon, 'courtesy')
const RefusedFilters = lazyPart(
  async () => (await import('../../../kit/list/refused/RefusedFilters.tsx')).RefusedFilters,
)
const MenuDialog = lazyPart(async () => (await import('./menu-manager.edit-dialog.tsx')).MenuDialog)

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

export default function MenuManagerPage() {
  const state = useListState(menuManager.tree)
  const [draft, setDraft, close] = useOpen<MenuDraft>()
  const isRefused = state.refused.length > 0
  const tree = useList(menuManager.tree, { query: state.query, enabled: !isRefused })
  const menus = flatMenus(tree.data ?? [])
  const filtered = activeChips(filters, state.query).length > 0

  const rowActions = useMenuActions({ menus, filtered, edit: setDraft })
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
        <FilterBar
          filters={filters}
          route={menuManager.tree}
          query={state.query}
          onChange={state.set}
          onReset={state.reset}
        />
        {isRefused ? (
          <RefusedFilters
            route={menuManager.tree}
            filters={filters as readonly Filter<unknown>[]}
            refused={state.refused}
            onClear={state.set}
          />
        ) : (
          <DataTable
            // Branches expand only on mount, so new rows need a new table.
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
        )}
      </section>
      {draft && <MenuDialog draft={draft} siblings={menus} {...menuChanges} onClose={close} />}
    </PageFrame>
  )
}

const Icon = ({ name }: { name: string }) => (
  <>
    <MenuIcon name={name} /> {name}
  </>
)
