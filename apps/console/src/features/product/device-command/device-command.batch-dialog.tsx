import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { deviceCommand, deviceOperation, maxWaitHours, whenOffline } from '@wattdeck/contract/product/device-command.ts'
import { type Device, deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import { Form, InputNumber, Radio } from 'antd'
import { useDetail } from '../../../kit/api/queries.ts'
import { ConsequenceNote } from '../../../kit/form/Consequence.tsx'
import { Field } from '../../../kit/form/Field.tsx'
import { SelectField } from '../../../kit/form/fields/SelectField.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { type Chosen, chosenBody } from '../../../kit/list/chosen.ts'
import { readListQuery } from '../../../kit/list/list-query.ts'
import { chargingCount, type Operation, operationTexts } from './consequence-texts.ts'

type Props = { chosen: Chosen<Device>; onClose: () => void; onDone: (job: { jobId: string }) => void }
const few = 5

/** The number of charging ports of the selected devices, including other pages. */
function useChargingText({ filter, rows }: Chosen<Device>): string {
  const query = readListQuery(deviceManage.totals.query, new URLSearchParams(filter ?? ''))
  const totals = useDetail(deviceManage.totals, { query, enabled: filter !== undefined })
  if (filter === undefined) return `${chargingCount(rows)} 个端口`
  if (totals.data) return `${totals.data.sums.working} 个端口`
  return totals.isError ? '未能统计' : '统计中…'
}

/**
 * One operation for many devices. No operation is preselected; a batch above the limit needs approval by a second
 * person.
 */
export function OperateDialog({ chosen, onClose, onDone }: Props) {
  const charging = useChargingText(chosen)
  const named = chosen.rows.slice(0, few).map(({ deviceNo }) => deviceNo)
  const names = named.length === 0 ? '筛选结果中的全部设备' : named.join('、')
  return (
    <FormDialog
      title={`远程控制：${chosen.count} 台设备`}
      route={deviceCommand.batchOperate}
      okText={`对 ${chosen.count} 台设备执行`}
      danger
      initial={{ whenOffline: whenOffline.code.fail, waitHours: 1 }}
      toBody={({ operation, whenOffline: offline, waitHours }) =>
        ({
          ...chosenBody(chosen),
          operation,
          whenOffline: offline,
          ...(offline === whenOffline.code.wait ? { waitHours } : {}),
        }) as BodyOf<typeof deviceCommand.batchOperate>
      }
      onClose={onClose}
      onDone={onDone}
    >
      <SelectField name="operation" label="操作" options={deviceOperation.options} placeholder="请选择" />
      <Field name="whenOffline" label="设备离线时" choose>
        <Radio.Group options={whenOffline.options} />
      </Field>
      <Form.Item noStyle dependencies={['whenOffline']}>
        {({ getFieldValue }) =>
          getFieldValue('whenOffline') === whenOffline.code.wait && (
            <Field name="waitHours" label="最长等待（小时）">
              <InputNumber min={1} max={maxWaitHours} precision={0} />
            </Field>
          )
        }
      </Form.Item>
      <Form.Item noStyle dependencies={['operation']}>
        {({ getFieldValue }) => {
          const operation = getFieldValue('operation') as Operation | undefined
          return (
            <ConsequenceNote
              facts={[
                ['设备', `${chosen.count} 台：${names}${chosen.rows.length > few ? ' 等' : ''}`],
                ['正在充电', charging],
              ]}
              effect={operation === undefined ? '请先选择操作' : operationTexts[operation].effect}
              undo={(operation === undefined ? undefined : operationTexts[operation].undo) ?? '执行后不能撤销'}
              second="一小时内累计的设备数量超过平台设定时，须由另一人审批后执行"
            />
          )
        }}
      </Form.Item>
    </FormDialog>
  )
}
