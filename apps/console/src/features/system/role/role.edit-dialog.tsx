import { userType } from '@wattdeck/contract/common.ts'
import { role, type Role } from '@wattdeck/contract/system/role.ts'
import { Form } from 'antd'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { AgentField, OrganiseField, SiteField } from '../../../kit/owner-region/OwnerFields.tsx'
import { useUser } from '../../../kit/api/user.ts'
import { SwitchField } from '../../../kit/form/fields/SwitchField.tsx'
import { SelectField } from '../../../kit/form/fields/SelectField.tsx'
import { TextField } from '../../../kit/form/fields/TextField.tsx'

type Props = { of?: Role; copies?: boolean; onClose: () => void }

/** A new, edited or copied role. A copy has the same rights and its own name. */
export function RoleDialog({ of, copies, onClose }: Props) {
  const common = { refresh: [role.list], onClose }
  if (!of) return <NewRole onClose={onClose} />
  if (copies)
    return (
      <FormDialog
        {...common}
        title={`复制角色：${of.name}`}
        okText="复制"
        route={role.copy}
        initial={{ name: `${of.name}副本`.slice(0, 30), code: of.code }}
        also={{ id: of.id }}
      >
        <NameFields />
      </FormDialog>
    )
  return (
    <FormDialog
      {...common}
      title={`编辑角色：${of.name}`}
      route={role.edit}
      initial={{ name: of.name, code: of.code }}
      also={{ id: of.id }}
    >
      <NameFields />
    </FormDialog>
  )
}

const auditHelp = '成员只能查看和导出，不能再持有其他角色；保存后不能修改'

function NewRole({ onClose }: { onClose: () => void }) {
  const user = useUser()
  return (
    <FormDialog
      title="新增角色"
      route={role.add}
      refresh={[role.list]}
      initial={{ organiseId: user?.organiseId, userType: user?.userType }}
      onClose={onClose}
    >
      <OrganiseField />
      <AgentField clears={['userType']} />
      <SiteField clears={['userType']} />
      <NameFields />
      <UserTypeField own={user?.userType ?? 1} />
      <SwitchField name="auditOnly" label="审计角色" help={auditHelp} />
    </FormDialog>
  )
}

/** Excludes user types above the caller, and user types above the owner of the role. */
function UserTypeField({ own }: { own: number }) {
  const agentId = Form.useWatch<string | undefined>('agentId')
  const siteId = Form.useWatch<string | undefined>('siteId')
  const { organise, agent, site } = userType.code
  const lowest = Math.max(own, siteId ? site : agentId ? agent : organise)
  return (
    <SelectField
      name="userType"
      label="用户类型"
      help="决定成员的数据范围，保存后不能修改"
      placeholder="请选择用户类型"
      options={userType.options.filter((option) => option.value >= lowest)}
    />
  )
}

const NameFields = () => (
  <>
    <TextField name="name" label="角色名称" maxLength={30} />
    <TextField name="code" label="角色编码" help="大写字母、数字或下划线，以字母开头" maxLength={30} />
  </>
)
