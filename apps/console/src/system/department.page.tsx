import { later } from '../kit/later.tsx'
import { PlusOutlined } from '@ant-design/icons'
import { department, type Department, departmentType } from '@wattdeck/contract/system/department.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { Can } from '../kit/Can.tsx'
import * as cells from '../kit/cells.tsx'
import type { Column } from '../kit/columns.ts'
import { CopyId } from '../kit/CopyId.tsx'
import { useListState } from '../kit/list-state.ts'
import { ListPanel } from '../kit/ListPanel.tsx'
import { PageFrame } from '../kit/PageFrame.tsx'
import type { RowAction } from '../kit/RowActions.tsx'
import { TreePanel } from '../kit/TreePanel.tsx'
import { useConfirmedSubmit } from '../kit/use-confirm.ts'
import { auditColumns } from './audit-columns.tsx'
import { useDepartmentTree } from './department-tree.ts'
import type { DepartmentDraft } from './department.edit-dialog.tsx'
import { OrganiseSelect, ownerColumn, useOrganiseOptions } from './organise.tsx'
import { TreeRetry } from './tree-retry.tsx'
import { useReturnFocus } from './use-return-focus.ts'

const DepartmentDialog = later(async () => (await import('./department.edit-dialog.tsx')).DepartmentDialog)
const DepartmentMenusDialog = later(async () => (await import('./department.menus-dialog.tsx')).DepartmentMenusDialog)

const columnsFor = (organises: boolean): Column<Department>[] => [
  { key: 'name', title: '部门名称', width: 130, fixed: 'start', render: (row) => row.name },
  ownerColumn(organises),
  { key: 'code', title: '部门编码', width: 110, render: (row) => <CopyId value={row.code} what="部门编码" /> },
  { key: 'parentName', title: '上级部门', width: 110, render: (row) => cells.text(row.parentName) },
  { key: 'type', title: '类型', width: 90, render: (row) => cells.label(departmentType, row.type) },
  { key: 'leader', title: '负责人', width: 80, render: (row) => cells.text(row.leader) },
  { key: 'phone', title: '电话', width: 120, render: (row) => cells.text(row.phone) },
  { key: 'staffCount', title: '人数', width: 60, align: 'end', render: (row) => cells.count(row.staffCount) },
  {
    key: 'menus',
    title: '菜单上限',
    width: 110,
    render: (row) => (row.menuIds.length === 0 ? '不限制' : `${row.menuIds.length} 个菜单`),
  },
  ...auditColumns,
]

const refresh = [department.list, department.tree]

export default function DepartmentPage() {
  const state = useListState(department.list)
  const { organiseId, parentId } = state.query
  const tree = useDepartmentTree({ organiseId, departmentId: parentId })
  const { maySelect } = useOrganiseOptions()
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
      onClick: () =>
        remove(
          { title: `确定要删除部门「${row.name}」吗？`, content: '删除后不可恢复', danger: true, okText: '删除' },
          { body: { id: row.id } },
        ),
    },
  ]

  return (
    <PageFrame
      title="部门管理"
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
            <OrganiseSelect
              value={organiseId}
              onChange={(chosen) => state.set({ organiseId: chosen, parentId: undefined })}
            />
            <TreeRetry query={tree.query} what="部门" />
          </>
        }
      >
        <ListPanel
          listKey="department"
          route={department.list}
          state={state}
          columns={columnsFor(maySelect)}
          nameOf={(row) => row.name}
          filters={[
            { kind: 'text', name: 'name', label: '部门名称' },
            { kind: 'select', name: 'type', label: '类型', options: departmentType.options },
          ]}
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
