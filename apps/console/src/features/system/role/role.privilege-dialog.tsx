import { role, type Role } from '@wattdeck/contract/system/role.ts'
import { useDetail } from '../../../kit/api/queries.ts'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { PrivilegeDialog } from '../privilege/privilege-dialog.tsx'

type Props = { of: Role; onClose: () => void }

export function RolePrivilegeDialog({ of, onClose }: Props) {
  const offer = useDetail(role.privilege, { params: { roleId: of.id } })
  const submit = useSubmit(role.savePrivilege, { refresh: [role.list, role.privilege], onDone: onClose })
  return (
    <PrivilegeDialog
      title={`权限配置：${of.name}`}
      question={`确定要保存角色「${of.name}」的权限吗？`}
      warning={of.userCount > 0 ? `保存后 ${of.userCount} 名成员的权限立即变化` : undefined}
      offer={offer}
      submit={{ pending: submit.pending, run: (body) => submit.run({ body: { ...body, roleId: of.id } }) }}
      onClose={onClose}
    />
  )
}
