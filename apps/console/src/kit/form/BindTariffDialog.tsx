import type { AnyRoute, BodyOf } from '@wattdeck/contract/kit/route.ts'
import { consumptionStandard } from '@wattdeck/contract/product/consumption-standard.ts'
import { Select } from 'antd'
import { type Chosen, chosenBody } from '../list/chosen.ts'
import { Field } from './Field.tsx'
import { FormDialog } from './FormDialog.tsx'
import { useDetail } from '../api/queries.ts'

type Chosable = { id: string; organiseId: string }
type Props = {
  /** 台设备 or 个站点 */
  what: string
  route: AnyRoute
  chosen: Chosen<Chosable>
  /** The effect of an empty field. */
  help: string
  onClose: () => void
  onDone: (job: { jobId: string }) => void
}

/** Binds a tariff to the selected devices or sites. The job lists the reason for each one that cannot use it. */
export function BindTariffDialog({ what, route, chosen, help, onClose, onDone }: Props) {
  return (
    <FormDialog
      title={`设置消费标准：${chosen.count} ${what}`}
      route={route}
      okText="设置"
      toBody={({ tariffId }) => ({ ...chosenBody(chosen), tariffId }) as BodyOf<AnyRoute>}
      onClose={onClose}
      onDone={onDone}
    >
      <Field name="tariffId" label="消费标准" choose help={help}>
        <TariffSelect {...(chosen.rows[0] ? { organiseId: chosen.rows[0].organiseId } : {})} />
      </Field>
      <p className="meta">不能使用该标准的会在任务结果中逐条说明原因，其余照常生效。</p>
    </FormDialog>
  )
}

type SelectProps = { id?: string; value?: string; onChange?: (id: string | undefined) => void; organiseId?: string }

function TariffSelect({ organiseId, ...field }: SelectProps) {
  const options = useDetail(consumptionStandard.options, { query: organiseId === undefined ? {} : { organiseId } })
  return (
    <Select
      {...field}
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      loading={options.isFetching}
      placeholder="不单独设置"
      notFoundContent={options.isFetching ? '加载中…' : '没有已发布的消费标准'}
      options={(options.data ?? []).map(({ id, name, prices }) => ({ value: id, label: `${name}（${prices}）` }))}
    />
  )
}
