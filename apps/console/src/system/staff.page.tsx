import { later } from '../kit/later.tsx'
import { PlusOutlined } from '@ant-design/icons'
import { enabledStatus } from '@wattdeck/contract/common.ts'
import { staff, type Staff } from '@wattdeck/contract/system/staff.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { Can } from '../kit/Can.tsx'
import { useListState } from '../kit/list-state.ts'
import { ListPanel } from '../kit/ListPanel.tsx'
import { PageFrame } from '../kit/PageFrame.tsx'
import { useDetail } from '../kit/queries.ts'
import type { RowAction } from '../kit/RowActions.tsx'
import { TreePanel } from '../kit/TreePanel.tsx'
import { useConfirmedSubmit } from '../kit/use-confirm.ts'
import { useUser } from '../kit/user.ts'
import { useDepartmentTree } from './department-tree.ts'
import { toggleOf } from './enabled-toggle.ts'
import { OrganiseSelect, useOrganiseOptions } from './organise.tsx'
import { StaffBatch } from './staff.batch.tsx'
import { staffColumns } from './staff.columns.tsx'
import type { StaffDraft } from './staff.edit-dialog.tsx'
import type { Secret } from './staff.password-dialog.tsx'
import { TreeRetry } from './tree-retry.tsx'
import { useReturnFocus } from './use-return-focus.ts'

const StaffDialog = later(async () => (await import('./staff.edit-dialog.tsx')).StaffDialog)
const StaffPasswordDialog = later(async () => (await import('./staff.password-dialog.tsx')).StaffPasswordDialog)
const StaffQuickLoginDialog = later(async () => (await import('./staff.quick-login-dialog.tsx')).StaffQuickLoginDialog)
const StaffRolesDialog = later(async () => (await import('./staff.roles-dialog.tsx')).StaffRolesDialog)

type Open =
  | { what: 'edit'; draft: StaffDraft }
  | { what: 'roles' | 'quickLogin' | 'resetting'; of: Staff }
  | ({ what: 'password' } & Secret)
const refresh = [staff.list]

export default function StaffPage() {
  const user = useUser()
  const state = useListState(staff.list)
  const { organiseId, departmentId } = state.query
  const tree = useDepartmentTree({ organiseId, departmentId })
  const { maySelect } = useOrganiseOptions()
  const roles = useDetail(staff.roleOptions, { query: { all: true, ...(organiseId ? { organiseId } : {}) } })
  const [open, setOpen] = useState<Open>()
  useReturnFocus(open !== undefined && open.what !== 'resetting')
  const close = () => setOpen(undefined)
  const remove = useConfirmedSubmit(staff.remove, { refresh })
  const toggle = useConfirmedSubmit(staff.toggle, { refresh })
  const unlock = useConfirmedSubmit(staff.unlock, { refresh })
  const resetPassword = useConfirmedSubmit(staff.resetPassword, {
    refresh,
    onDone: ({ initialPassword }) =>
      setOpen((now) =>
        now?.what === 'resetting' ? { what: 'password', of: now.of, initialPassword, isNew: false } : now,
      ),
  })

  function rowActions(row: Staff): RowAction[] {
    const who = `员工「${row.name}」`
    const ids = [row.id]
    const { label, question, status } = toggleOf(row.status, who, '停用后将立即退出登录，且不能再登录')
    const disabled = row.id === user?.id ? '不能对自己的账号执行该操作' : undefined
    function reset() {
      setOpen({ what: 'resetting', of: row })
      const content = '原密码立即失效，该员工将退出登录，下次登录须修改密码'
      resetPassword({ title: `确定要重置${who}的密码吗？`, content, okText: '重置' }, { body: { id: row.id } })
    }
    return [
      { label: '编辑', route: staff.edit, onClick: () => setOpen({ what: 'edit', draft: { row } }) },
      { label: '分配角色', route: staff.assignRoles, disabled, onClick: () => setOpen({ what: 'roles', of: row }) },
      { label, route: staff.toggle, disabled, onClick: () => toggle(question, { body: { ids, status } }) },
      { label: '重置密码', route: staff.resetPassword, disabled, onClick: reset },
      ...(row.locked ? [{ label: '解锁', route: staff.unlock, onClick: () => unlockOne(row) }] : []),
      {
        label: '快捷登录链接',
        route: staff.quickLogin,
        disabled: disabled ?? (row.status === enabledStatus.code.disabled ? '该员工已停用' : undefined),
        onClick: () => setOpen({ what: 'quickLogin', of: row }),
      },
      {
        label: '删除',
        route: staff.remove,
        danger: true,
        disabled,
        onClick: () =>
          remove(
            { title: `确定要删除${who}吗？`, content: '删除后不可恢复', danger: true, okText: '删除' },
            { body: { ids } },
          ),
      },
    ]
  }
  const unlockOne = (row: Staff) =>
    unlock({ title: `确定要解锁员工「${row.name}」吗？`, okText: '解锁' }, { body: { id: row.id } })
  // Roles belong to one organisation, too.
  const moveTo = (organise: string | undefined) =>
    state.set({ organiseId: organise, departmentId: undefined, roleId: undefined })

  return (
    <PageFrame
      title="员工管理"
      actions={
        <Can route={staff.add}>
          <Button
            type="primary"
            icon={<PlusOutlined />}
            onClick={() => setOpen({ what: 'edit', draft: { organiseId, departmentId } })}
          >
            新增员工
          </Button>
        </Can>
      }
    >
      <TreePanel
        label="部门"
        items={tree.items}
        selected={tree.selected}
        onSelect={(id) => state.set(tree.pick(id))}
        actions={
          <>
            <OrganiseSelect value={organiseId} onChange={moveTo} />
            <TreeRetry query={tree.query} what="部门" />
          </>
        }
      >
        <ListPanel
          listKey="staff"
          route={staff.list}
          state={state}
          columns={staffColumns(maySelect)}
          nameOf={(row) => row.name}
          filters={[
            { kind: 'text', name: 'keyword', label: '姓名/账号/手机' },
            {
              kind: 'select',
              name: 'roleId',
              label: '角色',
              options: (roles.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
            },
            { kind: 'select', name: 'status', label: '状态', options: enabledStatus.options },
          ]}
          rowActions={rowActions}
          barred={(row) => row.id === user?.id}
          toolbar={<StaffBatch chosen={[]} />}
          renderBatch={(chosen, clear) => <StaffBatch chosen={chosen} onDone={clear} />}
        />
      </TreePanel>
      {open?.what === 'edit' && (
        <StaffDialog
          draft={open.draft}
          onClose={close}
          onAdded={(of, initialPassword) => setOpen({ what: 'password', of, initialPassword, isNew: true })}
        />
      )}
      {open?.what === 'roles' && <StaffRolesDialog of={open.of} onClose={close} />}
      {open?.what === 'quickLogin' && <StaffQuickLoginDialog of={open.of} onClose={close} />}
      {open?.what === 'password' && <StaffPasswordDialog {...open} onClose={close} />}
    </PageFrame>
  )
}
