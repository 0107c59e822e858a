import type { DataOf } from '@wattdeck/contract/kit/route.ts'
import { userType } from '@wattdeck/contract/common.ts'
import { staff, type Staff } from '@wattdeck/contract/system/staff.ts'
import { Alert, Modal } from 'antd'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'
import { SelectField } from '../../../kit/form/fields/SelectField.tsx'

type Offered = DataOf<typeof staff.roleOptions>
type Props = { of: Staff; onClose: () => void }
const titleOf = (of: Staff) => `分配角色：${of.name}（${of.loginName}）`

export function StaffRolesDialog({ of, onClose }: Props) {
  const options = useDetail(staff.roleOptions, { query: { organiseId: of.organiseId } })
  if (options.data) return <RolesForm of={of} offered={options.data} onClose={onClose} />
  return (
    <Modal open title={titleOf(of)} width={dialogWidth.s} footer={null} onCancel={onClose}>
      <States query={options}>{() => null}</States>
    </Modal>
  )
}

function RolesForm({ of, offered, onClose }: Props & { offered: Offered }) {
  const ids = new Set(offered.map((role) => role.id))
  const assignable = of.roles.filter((role) => ids.has(role.id))
  const others = of.roles.filter((role) => !ids.has(role.id))
  return (
    <FormDialog
      title={titleOf(of)}
      route={staff.assignRoles}
      refresh={[staff.list]}
      initial={{ roleIds: assignable.map((role) => role.id) }}
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
      <SelectField
        name="roleIds"
        label="角色"
        help="仅列出您有权分配的角色；不选择任何角色表示收回全部权限"
        mode="multiple"
        showSearch={{ optionFilterProp: 'label' }}
        placeholder="请选择角色"
        options={offered.map(({ id, name, userType: type }) => ({
          value: id,
          label: `${name}（${userType.show(type).label}）`,
        }))}
      />
    </FormDialog>
  )
}
