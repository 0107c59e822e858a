import { enabledStatus } from '@wattdeck/contract/common.ts'
import { agentDepthMax, operatorInfo, type Operator } from '@wattdeck/contract/system/operator-info.ts'
import { useRef } from 'react'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import { useUser } from '../../../kit/api/user.ts'
import { toggleOf } from '../../../kit/list/enabled-toggle.ts'
import type { FirstPassword } from '../_shared/first-password-dialog.tsx'
import type { OperatorDraft } from './operator-info.edit-dialog.tsx'

/** The dialogs of the operators page. */
export type OperatorOpen =
  | { what: 'edit'; draft: OperatorDraft }
  | { what: 'share'; of: Operator }
  | { what: 'password'; secret: FirstPassword }

const refresh = [operatorInfo.list, operatorInfo.children]

/** Why no child can be added; undefined when one can. */
function fullReason({ status, depth }: Operator): string | undefined {
  if (status !== enabledStatus.code.enabled) return '该运营商已停用'
  return depth >= agentDepthMax ? `代理商最多${agentDepthMax}级` : undefined
}

/** The actions on one operator. */
export function useOperatorActions(show: (open: OperatorOpen) => void) {
  const user = useUser()
  const resetting = useRef<Operator>(undefined)
  const toggle = useConfirmedSubmit(operatorInfo.toggle, { refresh })
  const remove = useConfirmedSubmit(operatorInfo.remove, { refresh })
  const resetPassword = useConfirmedSubmit(operatorInfo.resetPassword, {
    onDone: ({ initialPassword }) => {
      const { name = '', adminLoginName } = resetting.current ?? {}
      const secret = { what: '运营商', name, loginName: adminLoginName ?? '', initialPassword, isNew: false }
      show({ what: 'password', secret })
    },
  })

  return function rowActions(row: Operator): RowAction[] {
    const what = `运营商「${row.name}」`
    const body = { id: row.id }
    const consequence = '停用后，该运营商及其站点的人员立即退出登录，且不能再登录；下级代理商不受影响'
    const { label, question, status } = toggleOf(row.status, what, consequence)
    const own = row.id === user?.agentId ? '本级运营商由上级维护' : undefined
    const unattended = own ?? (row.adminLoginName === null ? '该运营商没有管理员账号' : undefined)
    function reset() {
      resetting.current = row
      const content = `管理员账号 ${row.adminLoginName ?? ''} 的原密码立即失效，并退出登录，下次登录须修改密码`
      resetPassword({ title: `确定要重置${what}的管理员密码吗？`, content, okText: '重置' }, { body })
    }
    return [
      {
        label: '编辑',
        route: operatorInfo.edit,
        disabled: own,
        onClick: () => show({ what: 'edit', draft: { row } }),
      },
      {
        label: '新增下级',
        route: operatorInfo.add,
        disabled: fullReason(row),
        onClick: () => show({ what: 'edit', draft: { parent: row } }),
      },
      {
        label: '分成设置',
        route: operatorInfo.setShare,
        disabled: own,
        onClick: () => show({ what: 'share', of: row }),
      },
      { label: '重置密码', route: operatorInfo.resetPassword, disabled: unattended, onClick: reset },
      {
        label,
        route: operatorInfo.toggle,
        disabled: own,
        onClick: () => toggle(question, { body: { ...body, status } }),
      },
      {
        label: '删除',
        route: operatorInfo.remove,
        danger: true,
        disabled: own ?? (row.siteCount > 0 ? '运营商下还有站点，不能删除' : undefined),
        onClick: () =>
          remove(
            {
              title: `确定要删除${what}吗？`,
              content: '管理员账号一并删除，删除后不可恢复',
              danger: true,
              okText: '删除',
            },
            { body },
          ),
      },
    ]
  }
}
