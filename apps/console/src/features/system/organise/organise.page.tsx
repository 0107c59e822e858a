import { organise, organiseList } from '@wattdeck/contract/system/organise.ts'
import { useState } from 'react'
import { MainButton } from '../../../kit/crud/MainButton.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import { organiseColumns } from './organise.columns.tsx'
import { type OrganiseOpen, useOrganiseActions } from './organise.row-actions.ts'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'

const OrganiseDialog = lazyPart(async () => (await import('./organise.edit-dialog.tsx')).OrganiseDialog)
const OrganisePrivilegeDialog = lazyPart(
  async () => (await import('./organise.privilege-dialog.tsx')).OrganisePrivilegeDialog,
)
const OrganiseStopDialog = lazyPart(async () => (await import('./organise.stop-dialog.tsx')).OrganiseStopDialog)
const BaseServiceDialog = lazyPart(async () => (await import('../_shared/base-service.dialog.tsx')).BaseServiceDialog)
const AlipayInviteDialog = lazyPart(
  async () => (await import('../_shared/alipay-invite.dialog.tsx')).AlipayInviteDialog,
)
const FirstPasswordDialog = lazyPart(
  async () => (await import('../_shared/first-password-dialog.tsx')).FirstPasswordDialog,
)
const QuickLoginDialog = lazyPart(async () => (await import('../_shared/quick-login-dialog.tsx')).QuickLoginDialog)

export default function OrganisePage() {
  const list = useFieldList(organiseList, {
    listKey: 'organise',
    liveKey: 'organise',
    personal: 'organise',
    columns: organiseColumns,
  })
  const [open, setOpen] = useState<OrganiseOpen>()
  useReturnFocus(open !== undefined)
  const close = () => setOpen(undefined)
  const { rowActions, mayChange } = useOrganiseActions(setOpen)

  return (
    <>
      <ListPage
        {...list}
        nameOf={(row) => row.name}
        actions={
          mayChange && <MainButton route={organise.add} label="新增机构" onClick={() => setOpen({ what: 'edit' })} />
        }
        rowActions={rowActions}
      />
      {open?.what === 'edit' && (
        <OrganiseDialog
          row={open.row}
          onClose={close}
          onAdded={(of, initialPassword) =>
            setOpen({ what: 'password', secret: { ...of, what: '机构', initialPassword, isNew: true } })
          }
        />
      )}
      {open?.what === 'privilege' && <OrganisePrivilegeDialog of={open.of} onClose={close} />}
      {open?.what === 'service' && <BaseServiceDialog organise={open.of} onClose={close} />}
      {open?.what === 'alipay' && <AlipayInviteDialog organise={open.of} onClose={close} />}
      {open?.what === 'stop' && <OrganiseStopDialog of={open.of} onClose={close} />}
      {open?.what === 'quickLogin' && (
        <QuickLoginDialog
          route={organise.quickLogin}
          id={open.of.id}
          title={`代登录：${open.of.name}（${open.of.adminLoginName ?? ''}）`}
          onClose={close}
        />
      )}
      {open?.what === 'password' && <FirstPasswordDialog secret={open.secret} onClose={close} />}
    </>
  )
}
