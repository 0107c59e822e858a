import { PlusOutlined } from '@ant-design/icons'
import { department, type Department, departmentList } from '@wattdeck/contract/system/department.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { Can } from '../../../kit/api/Can.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { useListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { TreePanel } from '../../../kit/tree/TreePanel.tsx'
import { useConfirmedSubmit, removal } from '../../../kit/form/use-confirm.ts'
import { useDepartmentTree } from './department-tree.ts'
import type { DepartmentDraft } from './department.edit-dialog.tsx'
import { TreeRetry } from '../../../kit/tree/tree-retry.tsx'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'

const TreeOrganise = lazyPart(async () => (await import('../_shared/TreeOrganise.tsx')).TreeOrganise, 'courtesy')
const DepartmentDialog = lazyPart(async () => (await import('./department.edit-dialog.tsx')).DepartmentDialog)
const DepartmentMenusDialog = lazyPart(
  async () => (await import('./department.menus-dialog.tsx')).DepartmentMenusDialog,
)

const refresh = [department.list, department.tree]

export default function DepartmentPage() {
  const state = useListState(department.list)
  const { organiseId, parentId } = state.query
  const tree = useDepartmentTree({ organiseId, departmentId: parentId })
  const list = useFieldList(departmentList, { listKey: 'department', liveKey: 'department' })
  const [draft, setDraft] = useState<DepartmentDraft>()
  const [giving, setGiving] = useState<Department>()
  useReturnFocus(draft !== undefined || giving !== undefined)
  const remove = useConfirmedSubmit(department.remove, { refresh })

  function pick(id: string | undefined) {
    const picked = tree.pick(id)
    state.set({ organiseId: picked.organiseId, parentId: picked.departmentId })
  }
  const startNew = () => setDraft({ organiseId, parentId })

  const rowActions = (row: Department): RowAction[] => [
    { label: '编辑', route: department.edit, onClick: () => setDraft({ row }) },
    { label: '分配菜单', route: department.saveMenus, onClick: () => setGiving(row) },
    {
      label: '新增下级',
      route: department.add,
      onClick: () => setDraft({ organiseId: row.organiseId, parentId: row.id }),
    },
    {
      label: '删除',
      route: department.remove,
      danger: true,
      disabled: row.staffCount > 0 ? '部门下还有员工，不能删除' : undefined,
      onClick: () => remove(removal(`部门「${row.name}」`), { body: { id: row.id } }),
    },
  ]

  return (
    <PageFrame
      title={list.title}
      actions={
        <Can route={department.add}>
          <Button type="primary" icon={<PlusOutlined />} onClick={startNew}>
            新增部门
          </Button>
        </Can>
      }
    >
      <TreePanel
        label="部门"
        items={tree.items}
        selected={tree.selected}
        onSelect={pick}
        actions={
          <>
            <TreeOrganise
              value={organiseId}
              onChange={(chosen) => state.set({ organiseId: chosen, parentId: undefined })}
            />
            <TreeRetry query={tree.query} what="部门" />
          </>
        }
      >
        <ListPanel
          {...list}
          state={state}
          nameOf={(row) => row.name}
          rowActions={rowActions}
          emptyAction={
            <Can route={department.add}>
              <Button onClick={startNew}>新增部门</Button>
            </Can>
          }
        />
      </TreePanel>
      {draft && <DepartmentDialog draft={draft} refresh={refresh} onClose={() => setDraft(undefined)} />}
      {giving && <DepartmentMenusDialog of={giving} onClose={() => setGiving(undefined)} />}
    </PageFrame>
  )
}
