import type { DataOf } from '@wattdeck/contract/kit/route.ts'
import { type Account, userMaintenance } from '@wattdeck/contract/system/user-maintenance.ts'
import { Alert, Modal } from 'antd'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'
import { TextField } from '../../../kit/form/fields/TextField.tsx'
import { SelectField } from '../../../kit/form/fields/SelectField.tsx'

type Offered = DataOf<typeof userMaintenance.roleOptions>
type Props = { of: Account; onClose: () => void }
const titleOf = (of: Account) => `编辑用户：${of.name}（${of.loginName}）`

/** Name and roles. Type and owner determine the data scope, so another place requires another account. */
export function AccountEditDialog({ of, onClose }: Props) {
  const options = useDetail(userMaintenance.roleOptions, {
    query: { organiseId: of.organiseId, userType: of.userType },
  })
  if (options.data) return <EditForm of={of} offered={options.data} onClose={onClose} />
  return (
    <Modal open title={titleOf(of)} width={dialogWidth.s} footer={null} onCancel={onClose}>
      <States query={options}>{() => null}</States>
    </Modal>
  )
}

function EditForm({ of, offered, onClose }: Props & { offered: Offered }) {
  const ids = new Set(offered.map((role) => role.id))
  const assignable = of.roles.filter((role) => ids.has(role.id))
  const others = of.roles.filter((role) => !ids.has(role.id))
  return (
    <FormDialog
      title={titleOf(of)}
      route={userMaintenance.edit}
      refresh={[userMaintenance.list]}
      initial={{ name: of.name, roleIds: assignable.map((role) => role.id) }}
      also={{ id: of.id }}
      onClose={onClose}
    >
      {others.length > 0 && (
        <Alert
          className="form-alert"
          type="warning"
          showIcon
          title={`角色「${others.map((role) => role.name).join('、')}」已停用或不在您可分配的范围内，保存后将移除`}
        />
      )}
      <TextField name="name" label="姓名" />
      <SelectField
        name="roleIds"
        label="角色"
        help="仅列出您有权分配、且与用户类型一致的角色；不选择表示收回全部权限"
        mode="multiple"
        showSearch={{ optionFilterProp: 'label' }}
        options={offered.map(({ id, name }) => ({ value: id, label: name }))}
      />
    </FormDialog>
  )
}
