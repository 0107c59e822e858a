import { PlusOutlined } from '@ant-design/icons'
import { staff, type Staff, staffList } from '@wattdeck/contract/system/staff.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { Can } from '../../../kit/api/Can.tsx'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { Tag } from '../../../kit/display/StatusTag.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { useListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { TreePanel } from '../../../kit/tree/TreePanel.tsx'
import { useDepartmentTree } from '../department/department-tree.ts'
import { accountColumns } from '../_shared/account-columns.tsx'
import { AccountBatch } from '../_shared/AccountBatch.tsx'
import { type StaffOpen, useStaffActions } from './staff.row-actions.ts'
import { TreeOrganise } from '../_shared/TreeOrganise.tsx'
import { TreeRetry } from '../../../kit/tree/tree-retry.tsx'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'

const StaffDialog = lazyPart(async () => (await import('./staff.edit-dialog.tsx')).StaffDialog)
const FirstPasswordDialog = lazyPart(
  async () => (await import('../_shared/first-password-dialog.tsx')).FirstPasswordDialog,
)
const QuickLoginDialog = lazyPart(async () => (await import('../_shared/quick-login-dialog.tsx')).QuickLoginDialog)
const PhoneDialog = lazyPart(async () => (await import('../_shared/phone-dialog.tsx')).PhoneDialog)
const FactorResetDialog = lazyPart(async () => (await import('./staff.factor-reset-dialog.tsx')).FactorResetDialog)
const StaffRolesDialog = lazyPart(async () => (await import('./staff.roles-dialog.tsx')).StaffRolesDialog)

const batch = { routes: staff, unit: '条记录', removes: true }

const columns: ColumnChanges<Staff, keyof typeof staffList.fields> = {
  ...accountColumns,
  factor: {
    render: ({ hasFactor, factorReset }) =>
      factorReset ? (
        <Tag tone="warn">重置待审批</Tag>
      ) : (
        <Tag tone={hasFactor ? 'ok' : 'off'}>{hasFactor ? '已绑定' : '未绑定'}</Tag>
      ),
  },
}

export default function StaffPage() {
  const state = useListState(staff.list)
  const { organiseId, departmentId } = state.query
  const tree = useDepartmentTree({ organiseId, departmentId })
  const list = useFieldList(staffList, { listKey: 'staff', liveKey: 'staff', personal: 'user', columns })
  const roles = useDetail(staff.roleOptions, { query: { all: true, ...(organiseId ? { organiseId } : {}) } })
  const [open, setOpen] = useState<StaffOpen>()
  useReturnFocus(open !== undefined)
  const close = () => setOpen(undefined)
  const { rowActions, isSelf } = useStaffActions(setOpen)
  // Roles belong to one organisation, too.
  const moveTo = (organise: string | undefined) =>
    state.set({ organiseId: organise, departmentId: undefined, roleId: undefined })

  return (
    <PageFrame
      title={list.title}
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
            <TreeOrganise value={organiseId} onChange={moveTo} />
            <TreeRetry query={tree.query} what="部门" />
          </>
        }
      >
        <ListPanel
          {...list}
          state={state}
          nameOf={(row) => row.name}
          filters={list.filters.toSpliced(1, 0, {
            kind: 'select',
            name: 'roleId',
            label: '角色',
            options: (roles.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
          })}
          rowActions={rowActions}
          barred={isSelf}
          toolbar={<AccountBatch {...batch} />}
          renderBatch={(chosen) => <AccountBatch {...batch} chosen={chosen} />}
        />
      </TreePanel>
      {open?.what === 'edit' && (
        <StaffDialog
          draft={open.draft}
          onClose={close}
          onAdded={(of, initialPassword) =>
            setOpen({ what: 'password', secret: { ...of, what: '员工', initialPassword, isNew: true } })
          }
        />
      )}
      {open?.what === 'phone' && (
        <PhoneDialog of={open.of} route={staff.changePhone} refresh={[staff.list]} onClose={close} />
      )}
      {open?.what === 'factorReset' && <FactorResetDialog of={open.of} onClose={close} />}
      {open?.what === 'roles' && <StaffRolesDialog of={open.of} onClose={close} />}
      {open?.what === 'quickLogin' && (
        <QuickLoginDialog
          route={staff.quickLogin}
          id={open.of.id}
          title={`快捷登录链接：${open.of.name}（${open.of.loginName}）`}
          onClose={close}
        />
      )}
      {open?.what === 'password' && <FirstPasswordDialog secret={open.secret} onClose={close} />}
    </PageFrame>
  )
}
