import { type Account, userMaintenance } from '@wattdeck/contract/system/user-maintenance.ts'
import { useRef } from 'react'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useConfirmedSubmit, removal } from '../../../kit/form/use-confirm.ts'
import { useUser } from '../../../kit/api/user.ts'
import { toggleOf } from '../../../kit/list/enabled-toggle.ts'
import type { FirstPassword } from '../_shared/first-password-dialog.tsx'

/** The dialogs of the accounts page. */
export type AccountOpen =
  | { what: 'add' }
  | { what: 'edit' | 'phone'; of: Account }
  | { what: 'password'; secret: FirstPassword }

const refresh = [userMaintenance.list]

/** The actions on one account; none on the own account. */
export function useAccountActions(show: (open: AccountOpen) => void) {
  const user = useUser()
  const resetting = useRef<Account>(undefined)
  const remove = useConfirmedSubmit(userMaintenance.remove, { refresh })
  const toggle = useConfirmedSubmit(userMaintenance.toggle, { refresh })
  const resetPassword = useConfirmedSubmit(userMaintenance.resetPassword, {
    refresh,
    onDone: ({ initialPassword }) => {
      if (!resetting.current) return
      const { name, loginName } = resetting.current
      show({ what: 'password', secret: { what: '用户', name, loginName, initialPassword, isNew: false } })
    },
  })
  const isSelf = (row: Account) => row.id === user?.id

  function rowActions(row: Account): RowAction[] {
    const who = `用户「${row.name}」`
    const { label, question, status } = toggleOf(row.status, who, '停用后将立即退出登录，且不能再登录')
    const disabled = isSelf(row) ? '自己的账号请在个人中心维护' : undefined
    function reset() {
      resetting.current = row
      const content = '原密码立即失效，该用户将退出登录，下次登录须修改密码'
      resetPassword({ title: `确定要重置${who}的密码吗？`, content, okText: '重置' }, { body: { id: row.id } })
    }
    const ask = removal(who)
    const ids = [row.id]
    return [
      { label: '编辑', route: userMaintenance.edit, disabled, onClick: () => show({ what: 'edit', of: row }) },
      { label, route: userMaintenance.toggle, disabled, onClick: () => toggle(question, { body: { ids, status } }) },
      { label: '重置密码', route: userMaintenance.resetPassword, disabled, onClick: reset },
      {
        label: '换绑手机',
        route: userMaintenance.changePhone,
        disabled,
        onClick: () => show({ what: 'phone', of: row }),
      },
      {
        label: '删除',
        route: userMaintenance.remove,
        danger: true,
        disabled,
        onClick: () => remove(ask, { body: { ids } }),
      },
    ]
  }
  return { rowActions, isSelf }
}
