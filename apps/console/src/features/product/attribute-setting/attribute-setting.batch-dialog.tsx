import type { BodyOf, DataOf } from '@wattdeck/contract/kit/route.ts'
import { attributeSetting } from '@wattdeck/contract/product/attribute-setting.ts'
import { Radio } from 'antd'
import { useState } from 'react'
import { JobDialog } from '../../../kit/bulk/JobDialog.tsx'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'

type Props = {
  device: DataOf<typeof attributeSetting.list>['device']
  values: readonly { identifier: string; value: string }[]
  onClose: () => void
}

/** Sends the same values to other devices of the same model. */
export function BatchWriteDialog({ device, values, onClose }: Props) {
  const [jobId, setJobId] = useState<string>()
  const model = `deviceTypeId=${device.deviceTypeId}`
  const targets = [
    ...(device.siteId === null ? [] : [{ value: `${model}&siteId=${device.siteId}`, label: '同站点的同型号设备' }]),
    { value: model, label: '我可管理的全部同型号设备' },
  ]
  if (jobId !== undefined) return <JobDialog jobId={jobId} refresh={[attributeSetting.list]} onClose={onClose} />
  return (
    <FormDialog
      title={`批量下发 ${values.length} 项属性：${device.typeName}`}
      route={attributeSetting.batchWrite}
      okText="下发"
      initial={{ filter: targets[0]?.value }}
      toBody={({ filter }) =>
        ({
          filter,
          values: values.map(({ identifier, value }) => `${identifier}=${value}`).join('\n'),
        }) as BodyOf<typeof attributeSetting.batchWrite>
      }
      // The progress dialog replaces it.
      onClose={() => undefined}
      onDone={({ jobId: started }) => setJobId(started)}
    >
      <Field
        name="filter"
        label="下发范围"
        choose
        required
        help="一小时内累计的设备数量超过平台设定时，需由另一人审批后执行；未读取过当前参数的设备会提示先读取"
      >
        <Radio.Group options={targets} />
      </Field>
    </FormDialog>
  )
}
