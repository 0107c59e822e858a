import { PlusOutlined } from '@ant-design/icons'
import { enabledStatus, userType } from '@wattdeck/contract/common.ts'
import { department } from '@wattdeck/contract/system/department.ts'
import { staff, type Staff } from '@wattdeck/contract/system/staff.ts'
import { Button, Input, Select } from 'antd'
import { useState } from 'react'
import { Can } from '../kit/Can.tsx'
import * as cells from '../kit/cells.tsx'
import type { Column } from '../kit/columns.ts'
import { ConfirmButton } from '../kit/ConfirmButton.tsx'
import { CopyId } from '../kit/CopyId.tsx'
import { Field } from '../kit/Field.tsx'
import { FormDialog } from '../kit/FormDialog.tsx'
import { useListState } from '../kit/list-state.ts'
import { ListPanel } from '../kit/ListPanel.tsx'
import { PageFrame } from '../kit/PageFrame.tsx'
import { useDetail } from '../kit/queries.ts'
import { TreePanel } from '../kit/TreePanel.tsx'
import { useConfirmedSubmit } from '../kit/use-confirm.ts'

const columns: Column<Staff>[] = [
  { key: 'name', title: '姓名', width: 120, fixed: 'start', render: (row) => row.name },
  { key: 'employeeNo', title: '工号', width: 150, render: (row) => <CopyId value={row.employeeNo} what="工号" /> },
  { key: 'loginName', title: '登录账号', width: 140, render: (row) => row.loginName },
  { key: 'phone', title: '手机号', width: 130, render: (row) => row.phone },
  { key: 'department', title: '部门', width: 140, render: (row) => cells.text(row.departmentName) },
  { key: 'roles', title: '角色', width: 160, render: (row) => cells.names(row.roles.map((role) => role.name)) },
  {
    key: 'userType',
    title: '用户类型',
    width: 100,
    card: 'none',
    render: (row) => cells.label(userType, row.userType),
  },
  { key: 'status', title: '状态', width: 90, card: 'tag', render: (row) => cells.status(enabledStatus, row.status) },
  { key: 'lastLoginAt', title: '最近登录', width: 120, render: (row) => cells.ago(row.lastLoginAt) },
  { key: 'createdAt', title: '创建时间', width: 180, hidden: true, render: (row) => cells.time(row.createdAt) },
]

export default function TrialPage() {
  const state = useListState(staff.list)
  const [editing, setEditing] = useState<Staff | 'new'>()
  const tree = useDetail(department.tree, { params: { organiseId: '1' } })
  const remove = useConfirmedSubmit(staff.remove, { refresh: [staff.list] })
  return (
    <PageFrame
      title="员工管理"
      actions={
        <Can route={staff.add}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setEditing('new')}>
            新增员工
          </Button>
        </Can>
      }
    >
      <TreePanel
        label="部门"
        items={(tree.data ?? []).map((node) => ({ id: node.id, title: node.name, children: [] }))}
        selected={state.query.departmentId}
        onSelect={(departmentId) => state.set({ departmentId })}
      >
        <ListPanel
          listKey="staff"
          route={staff.list}
          state={state}
          columns={columns}
          nameOf={(row) => row.name}
          filters={[
            { kind: 'text', name: 'keyword', label: '姓名/账号/手机' },
            { kind: 'select', name: 'status', label: '状态', options: enabledStatus.options },
          ]}
          rowActions={(row) => [
            { label: '编辑', route: staff.edit, onClick: () => setEditing(row) },
            { label: '重置密码', route: staff.resetPassword, onClick: () => setEditing(row) },
            { label: '分配角色', route: staff.assignRoles, onClick: () => setEditing(row) },
            {
              label: '删除',
              route: staff.remove,
              danger: true,
              onClick: () =>
                remove(
                  { title: `确定要删除员工「${row.name}」吗？`, content: '删除后不可恢复', danger: true },
                  { body: { ids: [row.id] } },
                ),
            },
          ]}
          renderBatch={(chosen, clear) => (
            <ConfirmButton
              size="small"
              route={staff.remove}
              refresh={[staff.list]}
              onDone={clear}
              question={{
                title: `确定要删除所选的 ${chosen.length} 条记录吗？`,
                content: '删除后不可恢复',
                danger: true,
              }}
              input={{ body: { ids: chosen.map((row) => row.id) } }}
            >
              删除
            </ConfirmButton>
          )}
        />
      </TreePanel>
      {editing && (
        <FormDialog
          title={editing === 'new' ? '新增员工' : `编辑员工：${editing.name}`}
          route={staff.add}
          columns={2}
          refresh={[staff.list]}
          onClose={() => setEditing(undefined)}
        >
          <Field name="name" label="姓名">
            <Input />
          </Field>
          <Field name="employeeNo" label="工号">
            <Input />
          </Field>
          <Field name="loginName" label="登录账号">
            <Input />
          </Field>
          <Field name="phone" label="手机号">
            <Input />
          </Field>
          <Field name="email" label="邮箱">
            <Input />
          </Field>
          <Field name="roleIds" label="角色" choose>
            <Select mode="multiple" options={[{ value: '1', label: '管理员' }]} />
          </Field>
        </FormDialog>
      )}
    </PageFrame>
  )
}
