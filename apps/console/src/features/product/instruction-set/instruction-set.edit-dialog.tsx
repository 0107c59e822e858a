import type { AnyRoute, BodyOf } from '@wattdeck/contract/kit/route.ts'
import { dtuProtocol } from '@wattdeck/contract/product/dtu-protocol.ts'
import { type InstructionSet, instructionSet } from '@wattdeck/contract/product/instruction-set.ts'
import { Input, Select } from 'antd'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { initialOf } from '../_shared/catalogue-actions.ts'

type Props = { row: InstructionSet | undefined; refresh: readonly AnyRoute[]; onClose: () => void }

export function SetDialog({ row, refresh, onClose }: Props) {
  if (row)
    return (
      <FormDialog
        title={`编辑指令集：${row.name}（${row.code}）`}
        route={instructionSet.edit}
        initial={initialOf(row)}
        toBody={(values) => ({ ...values, id: row.id }) as BodyOf<typeof instructionSet.edit>}
        refresh={refresh}
        onClose={onClose}
      >
        <SetFields of={row} />
      </FormDialog>
    )
  return (
    <FormDialog title="新增指令集" route={instructionSet.add} refresh={refresh} onClose={onClose}>
      <Field name="code" label="指令集编码" help="大写字母、数字或短横线，如 XY-2-V10，保存后不能修改">
        <Input autoComplete="off" />
      </Field>
      <SetFields />
    </FormDialog>
  )
}

function SetFields({ of }: { of?: InstructionSet }) {
  const { data = [], isFetching } = useDetail(dtuProtocol.options)
  const options = data.map(({ id, code, name }) => ({ value: id, label: `${name}（${code}）` }))
  if (!isFetching && of?.protocolId && of.protocolName && !options.some((option) => option.value === of.protocolId))
    options.push({ value: of.protocolId, label: `${of.protocolName}（已停用）` })
  return (
    <>
      <Field name="name" label="指令集名称">
        <Input autoComplete="off" />
      </Field>
      <Field name="version" label="版本">
        <Input autoComplete="off" />
      </Field>
      <Field name="protocolId" label="协议" choose help="留空则适用于任何协议">
        <Select allowClear showSearch={{ optionFilterProp: 'label' }} loading={isFetching} options={options} />
      </Field>
      <Field name="remark" label="备注">
        <Input.TextArea autoSize={{ minRows: 2, maxRows: 6 }} />
      </Field>
    </>
  )
}
