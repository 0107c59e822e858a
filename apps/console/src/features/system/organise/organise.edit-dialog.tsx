import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { type Organise, organise, organiseType, settlementWay } from '@wattdeck/contract/system/organise.ts'
import { Form, Input, Select, Switch } from 'antd'
import { useRef } from 'react'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { FormSection } from '../../../kit/form/FormSection.tsx'
import { PictureField } from '../../../kit/media/PictureField.tsx'
import { RegionField } from '../../../kit/owner-region/RegionField.tsx'
import { AdminFields } from '../_shared/AdminFields.tsx'
import { type PrivilegeValue, OrganisePrivilege } from './organise.privilege-field.tsx'

type Named = { name: string; loginName: string }
type Props = { row?: Organise | undefined; onClose: () => void; onAdded: (of: Named, initialPassword: string) => void }

/** What the form begins with: everything the row has, but what is known here only masked. */
const initialOf = (row: Organise) => ({
  ...Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
  phone: undefined,
  legalPerson: undefined,
})

/** The chosen rights are one field of the form and three of the body. */
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
        initial={initialOf(row)}
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

/** A value known only masked stands behind the empty field; left empty, it stays. */
const behind = (masked: string | null | undefined) => (masked ? { placeholder: masked } : {})
const kept = (masked: string | null | undefined) => (masked ? { help: '留空则不修改' } : {})

const OrganiseFields = ({ of }: { of?: Organise }) => (
  <>
    <FormSection title="基本信息" />
    <Field name="name" label="机构名称">
      <Input autoComplete="off" />
    </Field>
    <Field name="shortName" label="简称">
      <Input autoComplete="off" />
    </Field>
    <Field name="type" label="类型" choose>
      <Select options={organiseType.options} />
    </Field>
    <Field name="settlementWay" label="结算方式" choose>
      <Select options={settlementWay.options} />
    </Field>
    <FormSection title="联系与地址" />
    <Field name="contact" label="联系人">
      <Input autoComplete="off" />
    </Field>
    <Field name="phone" label="手机号" {...kept(of?.phone)}>
      <Input autoComplete="off" inputMode="tel" {...behind(of?.phone)} />
    </Field>
    <RegionField />
    <Field name="address" label="地址">
      <Input autoComplete="off" />
    </Field>
    <FormSection title="公众号与小程序" />
    <Field name="publicAccount" label="公众号">
      <Input autoComplete="off" />
    </Field>
    <Field name="miniProgram" label="小程序">
      <Input autoComplete="off" />
    </Field>
    <FormSection title="营业执照" />
    <Field name="creditCode" label="统一社会信用代码">
      <Input autoComplete="off" maxLength={18} />
    </Field>
    <Field name="legalPerson" label="法人" {...kept(of?.legalPerson)}>
      <Input autoComplete="off" {...behind(of?.legalPerson)} />
    </Field>
    <Field name="licenceFileId" label="营业执照照片" wide>
      <PictureField />
    </Field>
    <Field name="remark" label="备注" wide>
      <Input.TextArea rows={2} />
    </Field>
  </>
)
