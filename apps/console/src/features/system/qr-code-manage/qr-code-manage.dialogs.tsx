import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import {
  maxCodes,
  type QrCode,
  qrCodeKind,
  qrCodeManage,
  qrCodeStatus,
} from '@wattdeck/contract/system/qr-code-manage.ts'
import { Alert, Input, InputNumber, Select } from 'antd'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { AgentField, OrganiseField, SiteField } from '../../../kit/owner-region/OwnerFields.tsx'
import { useUser } from '../../../kit/api/user.ts'
import '../_shared/system.css'

type Closing = { onClose: () => void; onDone?: () => void }

export function GenerateDialog({ onClose, onDone }: Closing) {
  const user = useUser()
  return (
    <FormDialog
      title="批量生成二维码"
      route={qrCodeManage.generate}
      size={780}
      columns={2}
      okText="生成"
      initial={{ kind: qrCodeKind.code.ordinary, ports: 0, organiseId: user?.organiseId }}
      refresh={[qrCodeManage.list, qrCodeManage.batches]}
      onClose={onClose}
      onDone={() => onDone?.()}
    >
      <Field name="kind" label="类别" choose>
        <Select options={qrCodeKind.options} />
      </Field>
      <Field name="units" label="设备数量" help={`二维码总数不超过 ${maxCodes}`}>
        <InputNumber min={1} max={maxCodes} precision={0} style={{ width: '100%' }} />
      </Field>
      <Field name="ports" label="每台端口数" help="0 为每台设备一个设备码；大于 0 时为每个端口生成端口码">
        <InputNumber min={0} max={24} precision={0} style={{ width: '100%' }} />
      </Field>
      <Field name="prefix" label="编码前缀" help="可不填，不超过6位数字或大写字母">
        <Input autoComplete="off" maxLength={6} />
      </Field>
      <OrganiseField help="绑定前二维码归属于此" />
      <AgentField />
      <SiteField />
    </FormDialog>
  )
}

/** Binding a used code again requires a reason, because it already identified something. */
export function BindDialog({ row, onClose }: { row: QrCode } & Closing) {
  const wasUsed = row.status === qrCodeStatus.code.used
  return (
    <FormDialog
      title={`绑定二维码：${row.codeNo}`}
      route={qrCodeManage.bind}
      okText="绑定"
      toBody={(values) => ({ ...values, id: row.id }) as BodyOf<typeof qrCodeManage.bind>}
      refresh={[qrCodeManage.list]}
      onClose={onClose}
    >
      {row.deviceNo !== null && (
        <Alert className="form-alert" type="warning" showIcon title={`该二维码现绑定设备 ${row.deviceNo}`} />
      )}
      <Field
        name="deviceNo"
        label="设备编号"
        help={row.portNo === null ? undefined : `将绑定 ${row.portNo} 号端口；同套的其他端口码一并绑定`}
      >
        <Input autoComplete="off" />
      </Field>
      {wasUsed && (
        <Field name="reason" label="重新绑定的原因" required>
          <Input autoComplete="off" />
        </Field>
      )}
    </FormDialog>
  )
}

export function UnbindDialog({ ids, onClose, onDone }: { ids: string[] } & Closing) {
  return (
    <FormDialog
      title={`解绑 ${ids.length} 个二维码`}
      route={qrCodeManage.unbind}
      okText="解绑"
      toBody={(values) => ({ ...values, ids }) as BodyOf<typeof qrCodeManage.unbind>}
      refresh={[qrCodeManage.list]}
      onClose={onClose}
      onDone={() => onDone?.()}
    >
      <Alert className="form-alert" type="warning" showIcon title="解绑后扫码不再指向原设备，再次绑定须填写原因" />
      <Field name="reason" label="原因">
        <Input autoComplete="off" />
      </Field>
    </FormDialog>
  )
}
