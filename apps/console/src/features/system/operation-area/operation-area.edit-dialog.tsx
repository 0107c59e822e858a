import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { areaList, type OperationArea, operationArea } from '@wattdeck/contract/system/operation-area.ts'
import { FieldInputs, rowValues } from '../../../kit/crud/FieldInputs.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { AgentField, OrganiseField } from '../../../kit/owner-region/OwnerFields.tsx'
import { RegionField } from '../../../kit/owner-region/RegionField.tsx'
import { useUser } from '../../../kit/api/user.ts'

type Props = { row?: OperationArea | undefined; onClose: () => void }
const refresh = [operationArea.list]

export function AreaDialog({ row, onClose }: Props) {
  const user = useUser()
  const common = { size: 780 as const, columns: 2 as const, refresh, onClose }
  if (row)
    return (
      <FormDialog
        {...common}
        title={`编辑运营区域：${row.name}`}
        route={operationArea.edit}
        initial={rowValues(row, ['phone'])}
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
    <FieldInputs fields={areaList.fields} names={['name']} />
    <RegionField />
    <FieldInputs fields={areaList.fields} names={['leader', 'phone', 'remark']} row={of} />
  </>
)
