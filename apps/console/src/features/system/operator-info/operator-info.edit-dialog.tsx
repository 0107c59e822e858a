import { agentType } from '@wattdeck/contract/common.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { operatorInfo, type Operator, operatorList } from '@wattdeck/contract/system/operator-info.ts'
import { Form, Select } from 'antd'
import { useRef } from 'react'
import { FieldInputs, rowValues } from '../../../kit/crud/FieldInputs.tsx'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { FormSection } from '../../../kit/form/FormSection.tsx'
import { maySelect } from '../../../kit/owner-region/owner.ts'
import { OrganiseField } from '../../../kit/owner-region/OwnerFields.tsx'
import { OwnerSelect } from '../../../kit/owner-region/OwnerSelect.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { RegionField } from '../../../kit/owner-region/RegionField.tsx'
import { useUser } from '../../../kit/api/user.ts'
import { AdminFields } from '../_shared/AdminFields.tsx'
import { ShareField } from './operator-info.share-dialog.tsx'

/** An existing operator, or the parent of a new one: given, or selected in the form. */
export type OperatorDraft = { row: Operator } | { parent?: Operator; organiseId?: string | undefined }
type Named = { name: string; loginName: string }
type Props = { draft: OperatorDraft; onClose: () => void; onAdded: (of: Named, initialPassword: string) => void }

const refresh = [operatorInfo.list, operatorInfo.children]

export function OperatorDialog({ draft, onClose, onAdded }: Props) {
  const user = useUser()
  const added = useRef<Named>({ name: '', loginName: '' })
  const common = { size: 900 as const, columns: 2 as const, refresh, onClose }
  if ('row' in draft)
    return (
      <FormDialog
        {...common}
        title={`编辑运营商：${draft.row.name}`}
        route={operatorInfo.edit}
        initial={rowValues(draft.row, ['phone'])}
        toBody={(values) => ({ ...values, id: draft.row.id }) as BodyOf<typeof operatorInfo.edit>}
      >
        <OperatorFields of={draft.row} />
      </FormDialog>
    )
  const { parent } = draft
  // The platform must select an organisation: operators belong to its customers.
  const organiseId =
    parent?.organiseId ?? draft.organiseId ?? (maySelect(user, 'organise') ? undefined : user?.organiseId)
  return (
    <FormDialog
      {...common}
      title={parent ? `新增下级运营商：${parent.name}` : '新增运营商'}
      route={operatorInfo.add}
      initial={{ organiseId, type: agentType.code.agent, sharePercent: 0 }}
      toBody={(values) => {
        const body = { ...values, ...(parent ? { parentAgentId: parent.id } : {}) } as BodyOf<typeof operatorInfo.add>
        added.current = { name: body.name, loginName: body.adminLoginName }
        return body
      }}
      onDone={({ initialPassword }) => onAdded(added.current, initialPassword)}
    >
      <FormSection title="归属" />
      {parent ? (
        <Place organise={parent.organiseName} above={parent.name} />
      ) : (
        <ChosenPlace above={user?.agentFullName ?? null} />
      )}
      <OperatorFields />
      <FormSection title="分成" />
      <ShareField help="不能高于上级代理商的分成比例" />
      <FormSection title="管理员账号" note="保存后显示一次初始密码，请当场交给对方" />
      <AdminFields />
      <RoleField organiseId={parent?.organiseId} />
    </FormDialog>
  )
}

/** The fixed parent: the operator whose row was selected. */
const Place = ({ organise, above }: { organise: string; above: string }) => (
  <>
    <Form.Item label="所属机构">{organise}</Form.Item>
    <Form.Item label="上级代理商">{above}</Form.Item>
  </>
)

function ChosenPlace({ above }: { above: string | null }) {
  const user = useUser()
  const chosen = Form.useWatch<string | undefined>('organiseId')
  if (!maySelect(user, 'agent')) return <Form.Item label="上级代理商">{above ?? '–'}</Form.Item>
  const organiseId = chosen ?? (maySelect(user, 'organise') ? undefined : user?.organiseId)
  return (
    <>
      <OrganiseField clears={['parentAgentId', 'roleId']} />
      <Field name="parentAgentId" label="上级代理商" choose help="留空则为一级代理商，层级自动计算">
        {organiseId === undefined ? (
          <Select disabled placeholder="请先选择机构" />
        ) : (
          <OwnerSelect key={organiseId} level="agent" within={{ organiseId }} placeholder="无" />
        )}
      </Field>
    </>
  )
}

/** Roles for agents that the caller may assign. */
function RoleField({ organiseId }: { organiseId: string | undefined }) {
  const user = useUser()
  const chosen = Form.useWatch<string | undefined>('organiseId')
  const of = organiseId ?? chosen ?? (maySelect(user, 'organise') ? undefined : user?.organiseId)
  const roles = useDetail(operatorInfo.roleOptions, {
    query: of === undefined ? {} : { organiseId: of },
    enabled: of !== undefined,
  })
  const none = roles.data?.length === 0
  return (
    <Field
      name="roleId"
      label="角色"
      choose
      help={
        none ? '没有可分配的代理商角色，请先在角色管理中新增用户类型为「代理商」的角色' : '仅列出您有权分配的代理商角色'
      }
    >
      <Select
        showSearch={{ optionFilterProp: 'label' }}
        loading={roles.isFetching}
        disabled={of === undefined}
        options={(roles.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      />
    </Field>
  )
}

const OperatorFields = ({ of }: { of?: Operator }) => (
  <>
    <FormSection title="基本信息" />
    <FieldInputs fields={operatorList.fields} names={['name', 'type']} />
    <FormSection title="联系与地址" />
    <FieldInputs fields={operatorList.fields} names={['contact', 'phone']} row={of} />
    <RegionField />
    <FieldInputs fields={operatorList.fields} names={['address', 'remark']} />
  </>
)
