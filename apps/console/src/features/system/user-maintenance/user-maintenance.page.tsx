import { PlusOutlined } from '@ant-design/icons'
import { enabledStatus, userType } from '@wattdeck/contract/common.ts'
import { userMaintenance } from '@wattdeck/contract/system/user-maintenance.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { Can } from '../../../kit/api/Can.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import { useUser } from '../../../kit/api/user.ts'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { AccountBatch } from './user-maintenance.batch.tsx'
import { accountColumns } from './user-maintenance.columns.tsx'
import { type AccountOpen, useAccountActions } from './user-maintenance.row-actions.ts'

const AccountAddDialog = lazyPart(async () => (await import('./user-maintenance.add-dialog.tsx')).AccountAddDialog)
const AccountEditDialog = lazyPart(async () => (await import('./user-maintenance.edit-dialog.tsx')).AccountEditDialog)
const PhoneDialog = lazyPart(async () => (await import('../_shared/phone-dialog.tsx')).PhoneDialog)
const FirstPasswordDialog = lazyPart(
  async () => (await import('../_shared/first-password-dialog.tsx')).FirstPasswordDialog,
)

export default function UserMaintenancePage() {
  const user = useUser()
  const [open, setOpen] = useState<AccountOpen>()
  useReturnFocus(open !== undefined)
  const close = () => setOpen(undefined)
  const { rowActions, isSelf } = useAccountActions(setOpen)
  return (
    <>
      <ListPage
        title="用户维护"
        listKey="user-maintenance"
        // The same accounts as those of the staff.
        liveKey="staff"
        route={userMaintenance.list}
        columns={accountColumns(user)}
        nameOf={(row) => row.name}
        filters={[
          { kind: 'text', name: 'keyword', label: '账号/姓名' },
          { kind: 'text', name: 'phone', label: '完整手机号' },
          { kind: 'select', name: 'userType', label: '用户类型', options: userType.options },
          { kind: 'owner' },
          { kind: 'select', name: 'status', label: '状态', options: enabledStatus.options },
        ]}
        actions={
          <Can route={userMaintenance.add}>
            <Button type="primary" icon={<PlusOutlined />} data-shortcut="n" onClick={() => setOpen({ what: 'add' })}>
              新增用户
            </Button>
          </Can>
        }
        rowActions={rowActions}
        barred={isSelf}
        toolbar={<AccountBatch />}
        renderBatch={(chosen) => <AccountBatch chosen={chosen} />}
      />
      {open?.what === 'add' && (
        <AccountAddDialog
          onClose={close}
          onAdded={(of, initialPassword) =>
            setOpen({ what: 'password', secret: { ...of, what: '用户', initialPassword, isNew: true } })
          }
        />
      )}
      {open?.what === 'edit' && <AccountEditDialog of={open.of} onClose={close} />}
      {open?.what === 'phone' && (
        <PhoneDialog
          of={open.of}
          route={userMaintenance.changePhone}
          refresh={[userMaintenance.list]}
          onClose={close}
        />
      )}
      {open?.what === 'password' && <FirstPasswordDialog secret={open.secret} onClose={close} />}
    </>
  )
}
