import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import {
  type Organise,
  organise,
  organiseList,
  organiseType,
  settlementWay,
} from '@wattdeck/contract/system/organise.ts'
import { Form, Input, Switch } from 'antd'
import { useRef } from 'react'
import { FieldInputs, rowValues } from '../../../kit/crud/FieldInputs.tsx'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { FormSection } from '../../../kit/form/FormSection.tsx'
import { PictureField } from '../../../kit/media/PictureField.tsx'
import { RegionField } from '../../../kit/owner-region/RegionField.tsx'
import { AdminFields } from '../_shared/AdminFields.tsx'
import { type PrivilegeValue, OrganisePrivilege } from './organise.privilege-field.tsx'

type Named = { name: string; loginName: string }
type Props = { row?: Organise | undefined; onClose: () => void; onAdded: (of: Named, initialPassword: string) => void }

/** The selected rights are one field of the form and three fields of the body. */
function bodyOf({ privilege, ...values }: Record<string, unknown>): BodyOf<typeof organise.add> {
  const { menus = [], resources = [], unmask = false } = (privilege ?? {}) as Partial<PrivilegeValue>
  return { ...values, menuIds: menus, resourceIds: resources, canUnmask: unmask } as BodyOf<typeof organise.add>
}

export function OrganiseDialog({ row, onClose, onAdded }: Props) {
  const added = useRef<Named>({ name: '', loginName: '' })
  const common = { size: 900 as const, columns: 2 as const, refresh: [organise.list], onClose }
  if (row)
    return (
      <FormDialog
        {...common}
        title={`编辑机构：${row.name}`}
        route={organise.edit}
        initial={rowValues(row, ['phone', 'legalPerson'])}
        toBody={(values) => ({ ...values, id: row.id }) as BodyOf<typeof organise.edit>}
      >
        <OrganiseFields of={row} />
      </FormDialog>
    )
  return (
    <FormDialog
      {...common}
      title="新增机构"
      route={organise.add}
      initial={{ type: organiseType.code.brand, settlementWay: settlementWay.code.automatic }}
      toBody={(values) => {
        const body = bodyOf(values)
        added.current = { name: body.name, loginName: body.adminLoginName }
        return body
      }}
      onDone={({ initialPassword }) => onAdded(added.current, initialPassword)}
    >
      <OrganiseFields />
      <Field
        name="test"
        label="测试机构"
        required={false}
        valuePropName="checked"
        help="用于试验和报文重放，不是客户；保存后不能更改"
      >
        <Switch />
      </Field>
      <FormSection title="管理员账号" note="保存后显示一次初始密码，请当场交给对方" />
      <AdminFields />
      <FormSection title="菜单授权" note="机构最多可以使用的菜单和操作，之后可以修改" />
      <Form.Item name="privilege" noStyle>
        <OrganisePrivilege />
      </Form.Item>
    </FormDialog>
  )
}

function OrganiseFields({ of }: { of?: Organise }) {
  // The value is known only masked, so its field is empty; an empty field leaves it unchanged.
  const masked = of?.legalPerson
  const changes = {
    creditCode: { input: <Input autoComplete="off" maxLength={18} /> },
    legalPerson: {
      input: <Input autoComplete="off" {...(masked ? { placeholder: `${masked}，留空则不修改` } : {})} />,
    },
  }
  const common = { fields: organiseList.fields, row: of, changes }
  return (
    <>
      <FormSection title="基本信息" />
      <FieldInputs {...common} names={['name', 'shortName', 'type', 'settlementWay']} />
      <FormSection title="联系与地址" />
      <FieldInputs {...common} names={['contact', 'phone']} />
      <RegionField />
      <FieldInputs {...common} names={['address']} />
      <FormSection title="公众号与小程序" />
      <FieldInputs {...common} names={['publicAccount', 'miniProgram']} />
      <FormSection title="营业执照" />
      <FieldInputs {...common} names={['creditCode', 'legalPerson']} />
      <Field name="licenceFileId" label="营业执照照片" wide>
        <PictureField />
      </Field>
      <FieldInputs {...common} names={['remark']} />
    </>
  )
}
