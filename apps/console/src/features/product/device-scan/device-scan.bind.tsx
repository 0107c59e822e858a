import type { Scanned } from '@wattdeck/contract/product/device-scan.ts'
import { qrCodeManage, qrCodeStatus } from '@wattdeck/contract/system/qr-code-manage.ts'
import { Button, Descriptions, Form } from 'antd'
import { FailureAlert } from '../../../kit/form/FailureAlert.tsx'
import { FormRoute } from '../../../kit/form/Field.tsx'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { TextField } from '../../../kit/form/fields/TextField.tsx'

type Props = {
  code: NonNullable<Scanned['code']>
  target: NonNullable<Scanned['device']>
  onDone: () => void
}

/** Confirms the binding of a code to a device. */
export function BindForm({ code, target, onDone }: Props) {
  const [form] = Form.useForm<{ reason?: string }>()
  const submit = useSubmit(qrCodeManage.bind, { feedback: 'inline', form, onDone })
  const facts = [
    { key: 'code', label: '二维码', children: code.codeNo },
    ...(code.portNo === null ? [] : [{ key: 'port', label: '端口', children: `${code.portNo} 号端口` }]),
    { key: 'device', label: '设备', children: `${target.deviceNo} ${target.name}` },
    { key: 'type', label: '型号', children: target.typeName },
    { key: 'site', label: '站点', children: target.siteName ?? '未安装到站点' },
  ]
  return (
    <Form
      form={form}
      layout="vertical"
      className="scan-form"
      onFinish={({ reason }) =>
        void submit.run({ body: { id: code.id, deviceNo: target.deviceNo, ...(reason ? { reason } : {}) } })
      }
    >
      <Descriptions column={1} bordered size="small" items={facts} />
      <FailureAlert texts={submit.texts} />
      <FormRoute value={qrCodeManage.bind}>
        {code.status === qrCodeStatus.code.used && (
          <TextField name="reason" label="重新绑定的原因" required size="large" />
        )}
      </FormRoute>
      <Button type="primary" size="large" block htmlType="submit" loading={submit.pending}>
        确认绑定
      </Button>
    </Form>
  )
}
