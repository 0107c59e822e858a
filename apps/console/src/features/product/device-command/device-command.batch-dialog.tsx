import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { deviceCommand, deviceOperation, maxWaitHours, whenOffline } from '@wattdeck/contract/product/device-command.ts'
import type { Device } from '@wattdeck/contract/product/device-manage.ts'
import { Form, InputNumber, Radio, Select } from 'antd'
import { type Chosen, chosenBody } from '../../../kit/list/chosen.ts'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'

type Props = { chosen: Chosen<Device>; onClose: () => void; onDone: (job: { jobId: string }) => void }

/** One operation for many devices; to very many of them a second person must agree. */
export function OperateDialog({ chosen, onClose, onDone }: Props) {
  return (
    <FormDialog
      title={`批量操作：${chosen.count} 台设备`}
      route={deviceCommand.batchOperate}
      okText="执行"
      initial={{ operation: deviceOperation.code.restart, whenOffline: whenOffline.code.fail, waitHours: 1 }}
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
      <Field name="operation" label="操作" choose help="一小时内累计的设备数量超过平台设定时，需由另一人审批后执行">
        <Select options={deviceOperation.options} />
      </Field>
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
    </FormDialog>
  )
}
