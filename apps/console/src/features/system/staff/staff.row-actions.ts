import { enabledStatus } from '@wattdeck/contract/common.ts'
import { staff, type Staff } from '@wattdeck/contract/system/staff.ts'
import { useRef } from 'react'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useConfirmedSubmit, removal } from '../../../kit/form/use-confirm.ts'
import { useUser } from '../../../kit/api/user.ts'
import { toggleOf } from '../../../kit/list/enabled-toggle.ts'
import type { FirstPassword } from '../_shared/first-password-dialog.tsx'
import type { StaffDraft } from './staff.edit-dialog.tsx'

/** The dialogs of the staff page. */
export type StaffOpen =
  | { what: 'edit'; draft: StaffDraft }
  | { what: 'roles' | 'quickLogin' | 'phone' | 'factorReset'; of: Staff }
  | { what: 'password'; secret: FirstPassword }

const refresh = [staff.list]

/** The actions on one user. */
export function useStaffActions(show: (open: StaffOpen) => void) {
  const user = useUser()
  const resetting = useRef<Staff>(undefined)
  const remove = useConfirmedSubmit(staff.remove, { refresh })
  const toggle = useConfirmedSubmit(staff.toggle, { refresh })
  const unlock = useConfirmedSubmit(staff.unlock, { refresh })
  const resetPassword = useConfirmedSubmit(staff.resetPassword, {
    refresh,
    onDone: ({ initialPassword }) => {
      if (!resetting.current) return
      const { name, loginName } = resetting.current
      show({ what: 'password', secret: { what: '员工', name, loginName, initialPassword, isNew: false } })
    },
  })
  const approveReset = useConfirmedSubmit(staff.approveFactorReset, { refresh })
  const declineReset = useConfirmedSubmit(staff.declineFactorReset, { refresh })
  const isSelf = (row: Staff) => row.id === user?.id

  function rowActions(row: Staff): RowAction[] {
    const who = `员工「${row.name}」`
    const ids = [row.id]
    const body = { id: row.id }
    const { label, question, status } = toggleOf(row.status, who, '停用后将立即退出登录，且不能再登录')
    const disabled = isSelf(row) ? '不能对自己的账号执行该操作' : undefined
    function reset() {
      resetting.current = row
      const content = '原密码立即失效，该员工将退出登录，下次登录须修改密码'
      resetPassword({ title: `确定要重置${who}的密码吗？`, content, okText: '重置' }, { body })
    }
    const unlocking = {
      label: '解锁',
      route: staff.unlock,
      onClick: () => unlock({ title: `确定要解锁${who}吗？`, okText: '解锁' }, { body }),
    }
    function resetActions(): RowAction[] {
      const { factorReset } = row
      if (factorReset === null)
        return [
          {
            label: '重置二次验证',
            route: staff.askFactorReset,
            disabled: disabled ?? (row.hasFactor ? undefined : '该员工未绑定二次验证'),
            onClick: () => show({ what: 'factorReset', of: row }),
          },
        ]
      const content = `申请人：${factorReset.askedBy}（${factorReset.createdAt}），原因：${factorReset.reason}`
      return [
        {
          label: '通过重置二次验证',
          route: staff.approveFactorReset,
          disabled,
          onClick: () =>
            approveReset({ title: `确定要重置${who}的二次验证吗？`, content, danger: true, okText: '通过' }, { body }),
        },
        {
          label: '撤销重置申请',
          route: staff.declineFactorReset,
          onClick: () =>
            declineReset({ title: `确定要撤销${who}的重置申请吗？`, content, okText: '撤销申请' }, { body }),
        },
      ]
    }
    return [
      { label: '编辑', route: staff.edit, onClick: () => show({ what: 'edit', draft: { row } }) },
      { label: '分配角色', route: staff.assignRoles, disabled, onClick: () => show({ what: 'roles', of: row }) },
      ...(row.locked ? [unlocking] : []),
      { label, route: staff.toggle, disabled, onClick: () => toggle(question, { body: { ids, status } }) },
      { label: '重置密码', route: staff.resetPassword, disabled, onClick: reset },
      { label: '换绑手机', route: staff.changePhone, disabled, onClick: () => show({ what: 'phone', of: row }) },
      ...resetActions(),
      {
        label: '快捷登录链接',
        route: staff.quickLogin,
        disabled: disabled ?? (row.status === enabledStatus.code.disabled ? '该员工已停用' : undefined),
        onClick: () => show({ what: 'quickLogin', of: row }),
      },
      {
        label: '删除',
        route: staff.remove,
        danger: true,
        disabled,
        onClick: () => remove(removal(who), { body: { ids } }),
      },
    ]
  }
  return { rowActions, isSelf }
}
