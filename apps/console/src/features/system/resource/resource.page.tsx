import { PlusOutlined } from '@ant-design/icons'
import { actionKind, enabledStatus } from '@wattdeck/contract/common.ts'
import type { MenuNode } from '@wattdeck/contract/auth/menu-node.ts'
import { menuManager } from '@wattdeck/contract/system/menu-manager.ts'
import { resource, type Resource } from '@wattdeck/contract/system/resource.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { Can } from '../../../kit/api/Can.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { useListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import type { TreeItem } from '../../../kit/tree/tree-search.ts'
import { TreePanel } from '../../../kit/tree/TreePanel.tsx'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import { toggleOf } from '../../../kit/list/enabled-toggle.ts'
import { TreeRetry } from '../../../kit/tree/tree-retry.tsx'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'

const ResourceDialog = lazyPart(async () => (await import('./resource.edit-dialog.tsx')).ResourceDialog)

const columns: Column<Resource>[] = [
  { key: 'name', title: '资源名称', width: 130, fixed: 'start', render: (row) => row.name },
  { key: 'code', title: '资源编码', width: 130, render: (row) => <CopyId value={row.code} what="资源编码" /> },
  { key: 'menu', title: '所属菜单', width: 150, render: (row) => `${row.menuTitle}（${row.menuKey}）` },
  { key: 'action', title: '操作类型', width: 90, render: (row) => cells.label(actionKind, row.action) },
  { key: 'path', title: '接口地址', width: 250, render: (row) => <span title={row.path}>{row.path}</span> },
  { key: 'method', title: '方法', width: 70, render: (row) => row.method },
  { key: 'status', title: '状态', width: 80, card: 'tag', render: (row) => cells.status(enabledStatus, row.status) },
  { key: 'createdAt', title: '创建时间', width: 180, hidden: true, render: (row) => cells.time(row.createdAt) },
  { key: 'updatedAt', title: '更新时间', width: 180, hidden: true, render: (row) => cells.time(row.updatedAt) },
]

const toItem = (node: MenuNode): TreeItem => ({
  id: node.id,
  title: node.title,
  children: node.childMenus.map((child) => toItem(child)),
})
const refresh = [resource.list]

export default function ResourcePage() {
  const state = useListState(resource.list)
  const { menuId } = state.query
  const { data: menus = [], error, isFetching, refetch } = useDetail(menuManager.tree)
  const [editing, setEditing] = useState<Resource | 'new'>()
  useReturnFocus(editing !== undefined)
  const toggle = useConfirmedSubmit(resource.toggle, { refresh })
  const remove = useConfirmedSubmit(resource.remove, { refresh })

  function rowActions(row: Resource): RowAction[] {
    const what = `资源「${row.name}」`
    const { label, question, status } = toggleOf(row.status, what, '停用后已授予的角色不能再执行该操作')
    return [
      { label: '编辑', route: resource.edit, onClick: () => setEditing(row) },
      { label, route: resource.toggle, onClick: () => toggle(question, { body: { id: row.id, status } }) },
      {
        label: '删除',
        route: resource.remove,
        danger: true,
        onClick: () =>
          remove(
            {
              title: `确定要删除${what}吗？`,
              content: '已授予该资源的角色将失去此权限，删除后不可恢复',
              danger: true,
              okText: '删除',
            },
            { body: { id: row.id } },
          ),
      },
    ]
  }

  return (
    <PageFrame
      title="资源管理"
      actions={
        <Can route={resource.add}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setEditing('new')}>
            新增资源
          </Button>
        </Can>
      }
    >
      <TreePanel
        label="菜单"
        items={menus.map((node) => toItem(node))}
        selected={menuId}
        onSelect={(id) => state.set({ menuId: id })}
        actions={<TreeRetry query={{ error, isFetching, refetch }} what="菜单" />}
      >
        <ListPanel
          listKey="resource"
          route={resource.list}
          state={state}
          columns={columns}
          nameOf={(row) => row.name}
          filters={[
            { kind: 'text', name: 'name', label: '资源名称' },
            { kind: 'select', name: 'action', label: '操作类型', options: actionKind.options },
          ]}
          rowActions={rowActions}
          emptyAction={
            <Can route={resource.add}>
              <Button onClick={() => setEditing('new')}>新增资源</Button>
            </Can>
          }
        />
      </TreePanel>
      {editing && (
        <ResourceDialog
          {...(editing === 'new' ? {} : { of: editing })}
          menus={menus}
          menuId={menuId}
          onClose={() => setEditing(undefined)}
        />
      )}
    </PageFrame>
  )
}
