import { PlusOutlined } from '@ant-design/icons'
import { enabledStatus } from '@wattdeck/contract/common.ts'
import { type Staff, staff } from '@wattdeck/contract/system/staff.ts'
import { Button } from 'antd'
import { Can } from '../../../kit/api/Can.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { useListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { TreePanel } from '../../../kit/tree/TreePanel.tsx'
import { useUser } from '../../../kit/api/user.ts'
import { useDepartmentTree } from '../department/department-tree.ts'
import { staffColumns } from './staff.columns.tsx'
import { type StaffOpen, useStaffActions } from './staff.row-actions.ts'
import { TreeRetry } from '../../../kit/tree/tree-retry.tsx'
import { useOpen } from '../../../kit/form/use-return-focus.ts'

const TreeOrganise = lazyPart(async () => (await import('../_shared/TreeOrganise.tsx')).TreeOrganise, 'courtesy')
const AccountBatch = lazyPart(async () => (await import('../_shared/AccountBatch.tsx')).AccountBatch<Staff>)
const StaffDialog = lazyPart(async () => (await import('./staff.edit-dialog.tsx')).StaffDialog)
const FirstPasswordDialog = lazyPart(
  async () => (await import('../_shared/first-password-dialog.tsx')).FirstPasswordDialog,
)
const QuickLoginDialog = lazyPart(async () => (await import('../_shared/quick-login-dialog.tsx')).QuickLoginDialog)
const PhoneDialog = lazyPart(async () => (await import('../_shared/phone-dialog.tsx')).PhoneDialog)
const FactorResetDialog = lazyPart(async () => (await import('./staff.factor-reset-dialog.tsx')).FactorResetDialog)
const StaffRolesDialog = lazyPart(async () => (await import('./staff.roles-dialog.tsx')).StaffRolesDialog)

const batch = { routes: staff, unit: '条记录', removes: true }

export default function StaffPage() {
  const state = useListState(staff.list)
  const { organiseId, departmentId } = state.query
  const tree = useDepartmentTree({ organiseId, departmentId })
  const user = useUser()
  const roles = useDetail(staff.roleOptions, { query: { all: true, ...(organiseId ? { organiseId } : {}) } })
  const [open, setOpen, close] = useOpen<StaffOpen>()
  const { rowActions, isSelf } = useStaffActions(setOpen)
  // Roles belong to one organisation, so the role filter is reset too.
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
            <TreeOrganise value={organiseId} onChange={moveTo} />
            <TreeRetry query={tree.query} what="部门" />
          </>
        }
      >
        <ListPanel
          listKey="staff"
          route={staff.list}
          state={state}
          columns={staffColumns(user)}
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
          barred={isSelf}
          toolbar={<AccountBatch {...batch} />}
          renderBatch={(chosen) => <AccountBatch {...batch} chosen={chosen} />}
          liveKey="staff"
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
