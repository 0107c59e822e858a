import { accountList, userMaintenance } from '@wattdeck/contract/system/user-maintenance.ts'
import { MainButton } from '../../../kit/crud/MainButton.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import { accountColumns } from './user-maintenance.columns.tsx'
import { AccountBatch } from '../_shared/AccountBatch.tsx'
import { type AccountOpen, useAccountActions } from './user-maintenance.row-actions.ts'
import { useOpen } from '../../../kit/form/use-return-focus.ts'

const AccountAddDialog = lazyPart(async () => (await import('./user-maintenance.add-dialog.tsx')).AccountAddDialog)
const AccountEditDialog = lazyPart(async () => (await import('./user-maintenance.edit-dialog.tsx')).AccountEditDialog)
const PhoneDialog = lazyPart(async () => (await import('../_shared/phone-dialog.tsx')).PhoneDialog)
const FirstPasswordDialog = lazyPart(
  async () => (await import('../_shared/first-password-dialog.tsx')).FirstPasswordDialog,
)

const batch = { routes: userMaintenance, unit: '个用户' }

export default function UserMaintenancePage() {
  const list = useFieldList(accountList, {
    listKey: 'user-maintenance',
    // The same accounts as in the staff list.
    liveKey: 'staff',
    personal: 'user',
    columns: accountColumns,
  })
  const [open, setOpen, close] = useOpen<AccountOpen>()
  const { rowActions, isSelf } = useAccountActions(setOpen)
  return (
    <>
      <ListPage
        {...list}
        nameOf={(row) => row.name}
        actions={<MainButton route={userMaintenance.add} label="新增用户" onClick={() => setOpen({ what: 'add' })} />}
        rowActions={rowActions}
        barred={isSelf}
        toolbar={<AccountBatch {...batch} />}
        renderBatch={(chosen) => <AccountBatch {...batch} chosen={chosen} />}
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
