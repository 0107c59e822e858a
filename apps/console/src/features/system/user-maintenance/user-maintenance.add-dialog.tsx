import { userType } from '@wattdeck/contract/common.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { type Account, userMaintenance } from '@wattdeck/contract/system/user-maintenance.ts'
import { Form } from 'antd'
import { useRef } from 'react'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { AgentField, OrganiseField, SiteField } from '../../../kit/owner-region/OwnerFields.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { useUser } from '../../../kit/api/user.ts'
import { TextField } from '../../../kit/form/fields/TextField.tsx'
import { SelectField } from '../../../kit/form/fields/SelectField.tsx'

type Type = Account['userType']
type Named = Pick<Account, 'name' | 'loginName'>
type Props = { onClose: () => void; onAdded: (person: Named, initialPassword: string) => void }
const { organise, agent, site, installer } = userType.code

/** Users of an agent or a site may add accounts only there and below, which limits the types. */
const typesFor = (user: { agentId: string | null; userType: Type } | undefined): readonly Type[] => {
  if (user?.userType === site) return [site]
  return user?.agentId ? [agent, site, installer] : [organise, agent, site, installer]
}

export function AccountAddDialog({ onClose, onAdded }: Props) {
  const user = useUser()
  const added = useRef<Named>({ name: '', loginName: '' })
  const types = typesFor(user)
  return (
    <FormDialog
      title="新增用户"
      route={userMaintenance.add}
      size={780}
      columns={2}
      initial={{ organiseId: user?.organiseId, userType: types[0] }}
      refresh={[userMaintenance.list]}
      toBody={(values) => {
        const body = values as BodyOf<typeof userMaintenance.add>
        added.current = { name: body.name, loginName: body.loginName }
        return body
      }}
      onDone={({ initialPassword }) => onAdded(added.current, initialPassword)}
      onClose={onClose}
    >
      <TypeField types={types} />
      <OrganiseField clears={['roleIds']} />
      <PlaceFields own={{ agent: user?.agentId ?? undefined, isSite: user?.userType === site }} />
      <TextField name="name" label="姓名" />
      <TextField name="loginName" label="登录账号" help="字母开头，4-30位字母、数字或下划线" />
      <TextField name="phone" label="手机号" inputMode="tel" />
      <RolesField own={user?.organiseId ?? ''} />
    </FormDialog>
  )
}

function TypeField({ types }: { types: readonly Type[] }) {
  const form = Form.useFormInstance()
  return (
    <SelectField
      name="userType"
      label="用户类型"
      options={userType.options.filter(({ value }) => types.includes(value))}
      onChange={() => form.setFieldsValue({ agentId: undefined, siteId: undefined, roleIds: undefined })}
    />
  )
}

/** The owner of the account, as far as its type allows a choice. Empty means the caller's own agent. */
function PlaceFields({ own }: { own: { agent: string | undefined; isSite: boolean } }) {
  const type = Form.useWatch<Type | undefined>('userType')
  const mustChoose = type === agent && own.agent === undefined
  return (
    <>
      {type !== organise && <AgentField required={mustChoose} {...(own.agent ? { help: '留空则归属本代理商' } : {})} />}
      {type === site && <SiteField required={!own.isSite} />}
    </>
  )
}

function RolesField({ own }: { own: string }) {
  const type = Form.useWatch<Type | undefined>('userType')
  const organiseId = Form.useWatch<string | undefined>('organiseId') ?? own
  const roles = useDetail(userMaintenance.roleOptions, {
    query: { organiseId, ...(type ? { userType: type } : {}) },
    enabled: organiseId !== '' && type !== undefined,
  })
  return (
    <SelectField
      name="roleIds"
      label="角色"
      wide
      help="仅列出您有权分配、且与用户类型一致的角色"
      mode="multiple"
      showSearch={{ optionFilterProp: 'label' }}
      loading={roles.isFetching}
      options={(roles.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
    />
  )
}
