import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { department } from '@wattdeck/contract/system/department.ts'
import { staff, type Staff } from '@wattdeck/contract/system/staff.ts'
import { Form, TreeSelect } from 'antd'
import { useRef } from 'react'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { OrganiseField } from '../../../kit/owner-region/OwnerFields.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { useUser } from '../../../kit/api/user.ts'
import { departmentOptions } from '../department/department-tree.ts'
import { TextField } from '../../../kit/form/fields/TextField.tsx'
import { SelectField } from '../../../kit/form/fields/SelectField.tsx'

/** An existing user, or the department of a new one. */
export type StaffDraft = { row?: Staff; organiseId?: string | undefined; departmentId?: string | undefined }
type Named = Pick<Staff, 'name' | 'loginName'>
type Props = { draft: StaffDraft; onClose: () => void; onAdded: (person: Named, initialPassword: string) => void }

export function StaffDialog({ draft: { row, organiseId, departmentId }, onClose, onAdded }: Props) {
  const own = useUser()?.organiseId
  const added = useRef<Named>({ name: '', loginName: '' })
  const common = { columns: 2 as const, size: 780 as const, refresh: [staff.list], onClose }
  if (row)
    return (
      <FormDialog
        {...common}
        title={`编辑员工：${row.name}`}
        route={staff.edit}
        initial={{ name: row.name, employeeNo: row.employeeNo, departmentId: row.departmentId ?? undefined }}
        also={{ id: row.id }}
      >
        <PersonFields of={row} />
        <DepartmentField organiseId={row.organiseId} />
      </FormDialog>
    )
  return (
    <FormDialog
      {...common}
      title="新增员工"
      route={staff.add}
      initial={{ organiseId: organiseId ?? own, departmentId }}
      toBody={(values) => {
        const body = values as BodyOf<typeof staff.add>
        added.current = { name: body.name, loginName: body.loginName }
        return body
      }}
      onDone={({ initialPassword }) => onAdded(added.current, initialPassword)}
    >
      <OrganiseField wide clears={['departmentId', 'roleIds']} />
      <PersonFields />
      <TextField name="loginName" label="登录账号" help="字母开头，4-30位字母、数字或下划线" />
      <PlaceFields own={own ?? ''} />
    </FormDialog>
  )
}

/** The e-mail is known only masked, so an empty field leaves it unchanged. The phone has its own dialog. */
const PersonFields = ({ of }: { of?: Staff }) => (
  <>
    <TextField name="name" label="姓名" />
    <TextField name="employeeNo" label="工号" />
    {!of && <TextField name="phone" label="手机号" inputMode="tel" />}
    <TextField
      name="email"
      label="邮箱"
      {...(of?.email ? { help: '留空则不修改' } : {})}
      inputMode="email"
      {...(of?.email ? { placeholder: of.email } : {})}
    />
  </>
)

function PlaceFields({ own }: { own: string }) {
  const organiseId = Form.useWatch<string | undefined>('organiseId') ?? own
  const roles = useDetail(staff.roleOptions, { query: { organiseId }, enabled: organiseId !== '' })
  return (
    <>
      <DepartmentField organiseId={organiseId} />
      <SelectField
        name="roleIds"
        label="角色"
        help="仅列出您有权分配的角色"
        wide
        mode="multiple"
        showSearch={{ optionFilterProp: 'label' }}
        loading={roles.isFetching}
        options={(roles.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      />
    </>
  )
}

function DepartmentField({ organiseId }: { organiseId: string }) {
  const tree = useDetail(department.tree, { params: { organiseId }, enabled: organiseId !== '' })
  return (
    <Field name="departmentId" label="部门" choose>
      <TreeSelect
        allowClear
        treeDefaultExpandAll
        showSearch={{ treeNodeFilterProp: 'title' }}
        loading={tree.isFetching}
        treeData={departmentOptions(tree.data ?? [])}
      />
    </Field>
  )
}
