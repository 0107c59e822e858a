import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { type OperationArea, operationArea } from '@wattdeck/contract/system/operation-area.ts'
import { Input } from 'antd'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { AgentField, OrganiseField } from '../../../kit/owner-region/OwnerFields.tsx'
import { RegionField } from '../../../kit/owner-region/RegionField.tsx'
import { useUser } from '../../../kit/api/user.ts'

type Props = { row?: OperationArea | undefined; onClose: () => void }
const refresh = [operationArea.list]

/** What the form begins with: everything the row has, but the phone, which is known here only masked. */
const initialOf = ({ name, provinceCode, cityCode, districtCode, leader, remark }: OperationArea) =>
  Object.fromEntries(
    Object.entries({ name, provinceCode, cityCode, districtCode, leader, remark }).filter(
      ([, value]) => value !== null,
    ),
  )

export function AreaDialog({ row, onClose }: Props) {
  const user = useUser()
  const common = { size: 780 as const, columns: 2 as const, refresh, onClose }
  if (row)
    return (
      <FormDialog
        {...common}
        title={`编辑运营区域：${row.name}`}
        route={operationArea.edit}
        initial={initialOf(row)}
        toBody={(values) => ({ ...values, id: row.id }) as BodyOf<typeof operationArea.edit>}
      >
        <AreaFields of={row} />
      </FormDialog>
    )
  return (
    <FormDialog {...common} title="新增运营区域" route={operationArea.add} initial={{ organiseId: user?.organiseId }}>
      <OrganiseField />
      <AgentField help={user?.agentId ? '留空则归属本代理商' : '留空则归属机构'} />
      <AreaFields />
    </FormDialog>
  )
}

const AreaFields = ({ of }: { of?: OperationArea }) => (
  <>
    <Field name="name" label="区域名称">
      <Input autoComplete="off" />
    </Field>
    <RegionField />
    <Field name="leader" label="负责人">
      <Input autoComplete="off" />
    </Field>
    <Field name="phone" label="电话" {...(of?.phone ? { help: '留空则不修改' } : {})}>
      <Input autoComplete="off" inputMode="tel" {...(of?.phone ? { placeholder: of.phone } : {})} />
    </Field>
    <Field name="remark" label="备注" wide>
      <Input.TextArea rows={2} />
    </Field>
  </>
)
