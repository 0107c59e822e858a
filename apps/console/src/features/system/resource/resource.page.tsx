import { PlusOutlined } from '@ant-design/icons'
import type { MenuNode } from '@wattdeck/contract/auth/menu-node.ts'
import { menuManager } from '@wattdeck/contract/system/menu-manager.ts'
import { resource, type Resource, resourceList } from '@wattdeck/contract/system/resource.ts'
import { Button } from 'antd'
import { Can } from '../../../kit/api/Can.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { useListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import type { TreeItem } from '../../../kit/tree/tree-search.ts'
import { TreePanel } from '../../../kit/tree/TreePanel.tsx'
import { useConfirmedSubmit, removal } from '../../../kit/form/use-confirm.ts'
import { toggleOf } from '../../../kit/list/enabled-toggle.ts'
import { TreeRetry } from '../../../kit/tree/tree-retry.tsx'
import { useOpen } from '../../../kit/form/use-return-focus.ts'

const ResourceDialog = lazyPart(async () => (await import('./resource.edit-dialog.tsx')).ResourceDialog)

const toItem = (node: MenuNode): TreeItem => ({
  id: node.id,
  title: node.title,
  children: node.childMenus.map((child) => toItem(child)),
})
const refresh = [resource.list]

export default function ResourcePage() {
  const list = useFieldList(resourceList, {
    listKey: 'resource',
    columns: { path: { render: (row) => <span title={row.path}>{row.path}</span> } },
  })
  const state = useListState(resource.list)
  const { menuId } = state.query
  const { data: menus = [], error, isFetching, refetch } = useDetail(menuManager.tree)
  const [editing, setEditing, close] = useOpen<Resource | 'new'>()
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
          remove(removal(what, '已授予该资源的角色将失去此权限，删除后不可恢复'), { body: { id: row.id } }),
      },
    ]
  }

  return (
    <PageFrame
      title={list.title}
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
          {...list}
          state={state}
          nameOf={(row) => row.name}
          rowActions={rowActions}
          emptyAction={
            <Can route={resource.add}>
              <Button onClick={() => setEditing('new')}>新增资源</Button>
            </Can>
          }
        />
      </TreePanel>
      {editing && (
        <ResourceDialog {...(editing === 'new' ? {} : { of: editing })} menus={menus} menuId={menuId} onClose={close} />
      )}
    </PageFrame>
  )
}
