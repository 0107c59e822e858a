import { organise, type Organise } from '@wattdeck/contract/system/organise.ts'
import { useDetail } from '../../../kit/api/queries.ts'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { PrivilegeDialog } from '../privilege/privilege-dialog.tsx'

type Props = { of: Organise; onClose: () => void }

/** The rights ceiling of an organisation. */
export function OrganisePrivilegeDialog({ of, onClose }: Props) {
  const offer = useDetail(organise.privilege, { query: { id: of.id } })
  const submit = useSubmit(organise.savePrivilege, { refresh: [organise.privilege], onDone: onClose })
  return (
    <PrivilegeDialog
      title={`菜单授权：${of.name}`}
      question={`确定要保存机构「${of.name}」的菜单授权吗？`}
      warning="这是机构权限的上限：移除的权限会同时从该机构的所有角色中移除，新增的权限先授予机构管理员"
      offer={offer}
      submit={{ pending: submit.pending, run: (body) => submit.run({ body: { ...body, id: of.id } }) }}
      onClose={onClose}
    />
  )
}
