import { enabledStatus } from '@wattdeck/contract/common.ts'
import { alipayAuth } from '@wattdeck/contract/auth/alipay-auth.ts'
import { baseService } from '@wattdeck/contract/system/base-service.ts'
import { organise, type Organise } from '@wattdeck/contract/system/organise.ts'
import { defaultOrganiseId } from '@wattdeck/domain/roles.ts'
import { useRef } from 'react'
import { maySelect } from '../../../kit/owner-region/owner.ts'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import { useUser } from '../../../kit/api/user.ts'
import { toggleOf } from '../../../kit/list/enabled-toggle.ts'
import type { FirstPassword } from '../_shared/first-password-dialog.tsx'

/** The dialogs of the organisations page. */
export type OrganiseOpen =
  | { what: 'edit'; row?: Organise }
  | { what: 'privilege' | 'stop' | 'quickLogin' | 'service' | 'alipay'; of: Organise }
  | { what: 'password'; secret: FirstPassword }

const refresh = [organise.list]

/** The actions on one organisation: for platform administrators; other users read their own terms. */
export function useOrganiseActions(show: (open: OrganiseOpen) => void) {
  const mayChange = maySelect(useUser(), 'organise')
  const resetting = useRef<Organise>(undefined)
  const toggle = useConfirmedSubmit(organise.toggle, { refresh })
  const remove = useConfirmedSubmit(organise.remove, { refresh })
  const resetPassword = useConfirmedSubmit(organise.resetPassword, {
    onDone: ({ initialPassword }) => {
      const { name = '', adminLoginName } = resetting.current ?? {}
      const secret = { what: '机构', name, loginName: adminLoginName ?? '', initialPassword, isNew: false }
      show({ what: 'password', secret })
    },
  })

  function rowActions(row: Organise): RowAction[] {
    const service = {
      label: mayChange ? '设置基础服务' : '基础服务',
      onClick: () => show({ what: 'service', of: row }),
    }
    if (!mayChange) return [{ ...service, route: baseService.read }]
    const what = `机构「${row.name}」`
    const body = { id: row.id }
    const enabled = row.status === enabledStatus.code.enabled
    const { label, question, status } = toggleOf(row.status, what)
    const own = row.id === defaultOrganiseId ? '不能对平台自身执行该操作' : undefined
    const unattended = own ?? (row.adminLoginName === null ? '该机构没有管理员账号' : undefined)
    function reset() {
      resetting.current = row
      const content = `管理员账号 ${row.adminLoginName ?? ''} 的原密码立即失效，并退出登录，下次登录须修改密码`
      resetPassword({ title: `确定要重置${what}的管理员密码吗？`, content, okText: '重置' }, { body })
    }
    return [
      { label: '编辑', route: organise.edit, onClick: () => show({ what: 'edit', row }) },
      {
        label: '菜单授权',
        route: organise.savePrivilege,
        disabled: unattended,
        onClick: () => show({ what: 'privilege', of: row }),
      },
      { ...service, route: baseService.set, disabled: own },
      {
        label: '代登录',
        route: organise.quickLogin,
        disabled: unattended ?? (enabled ? undefined : '该机构已停用'),
        onClick: () => show({ what: 'quickLogin', of: row }),
      },
      { label: '重置密码', route: organise.resetPassword, disabled: unattended, onClick: reset },
      {
        label: '支付宝授权',
        route: alipayAuth.current,
        disabled: own,
        onClick: () => show({ what: 'alipay', of: row }),
      },
      {
        label,
        route: organise.toggle,
        disabled: own,
        onClick: () => (enabled ? show({ what: 'stop', of: row }) : toggle(question, { body: { ...body, status } })),
      },
      {
        label: '删除',
        route: organise.remove,
        danger: true,
        disabled: own ?? (row.agentCount + row.siteCount > 0 ? '机构下还有代理商或站点，不能删除' : undefined),
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
  return { rowActions, mayChange }
}
