import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { type Credential, deviceAuth, maxEnrolHours } from '@wattdeck/contract/product/device-auth.ts'
import { Alert, Button, Input, InputNumber, Modal, Select, Switch } from 'antd'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import './device-auth.css'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'

type Closing = { onClose: () => void }
/** A secret that is shown once. */
export type Secret = { title: string; what: string; text: string }
type Making = Closing & { onDone: (secret: Secret) => void }
const refresh = [deviceAuth.list]

/** The server stores only a hash, so the secret can be read only here. */
export function SecretDialog({ secret, onClose }: { secret: Secret } & Closing) {
  const { title, what, text } = secret
  return (
    <Modal
      open
      title={title}
      width={dialogWidth.s}
      mask={{ closable: false }}
      keyboard={false}
      closable={false}
      footer={
        <Button type="primary" onClick={onClose}>
          我已保存，关闭
        </Button>
      }
    >
      <Alert className="auth-alert" type="warning" showIcon title={`${what}仅显示这一次，关闭后无法再次查看`} />
      <code className="auth-secret">
        <CopyId value={text} what={what} />
      </code>
    </Modal>
  )
}

export function PasswordDialog({ deviceNo, onClose, onDone }: { deviceNo: string } & Making) {
  return (
    <FormDialog
      title={deviceNo === '' ? '生成接入口令' : `重置接入口令：${deviceNo}`}
      route={deviceAuth.setPassword}
      okText="生成"
      initial={deviceNo === '' ? {} : { deviceNo }}
      refresh={refresh}
      onClose={onClose}
      onDone={({ password }) => onDone({ title: '接入口令已生成', what: '口令', text: password })}
    >
      <Alert className="auth-alert" type="warning" showIcon title="新口令生成后，设备原来的口令立即失效" />
      <Field name="deviceNo" label="设备编号" help="仅用于 OCPP 充电桩；DNY、云快充等协议不校验口令">
        <Input autoComplete="off" disabled={deviceNo !== ''} />
      </Field>
      <Field
        name="plain"
        label="允许不加密连接"
        valuePropName="checked"
        help="仅用于不支持 TLS 的 OCPP 充电桩；默认要求 TLS 加口令，之后不能改回"
      >
        <Switch />
      </Field>
    </FormDialog>
  )
}

type Types = { id: string; name: string; code: string }[]

export function TypeKeyDialog({ types, onClose, onDone }: { types: Types } & Making) {
  return (
    <FormDialog
      title="生成型号密钥（一型一密）"
      route={deviceAuth.typeKey}
      okText="生成"
      onClose={onClose}
      onDone={({ key }) => onDone({ title: '型号密钥已生成', what: '型号密钥', text: key })}
    >
      <Alert
        className="auth-alert"
        type="warning"
        showIcon
        title="该型号原来的密钥立即失效"
        description="设备经所属机构允许登记后，凭型号密钥领取首张证书，每台仅一次；已领取过证书的设备不受影响。"
      />
      <Field name="deviceTypeId" label="型号" choose>
        <Select
          showSearch={{ optionFilterProp: 'label' }}
          options={types.map(({ id, name, code }) => ({ value: id, label: `${name}（${code}）` }))}
        />
      </Field>
    </FormDialog>
  )
}

/** The key of a model alone does not allow enrolment: the owner must allow each device for a limited time. */
export function EnrolDialog({ onClose }: Closing) {
  return (
    <FormDialog
      title="允许登记（一型一密）"
      route={deviceAuth.allowEnrol}
      okText="允许"
      initial={{ hours: 24 }}
      onClose={onClose}
    >
      <Alert
        className="auth-alert"
        type="warning"
        showIcon
        title="在限定时间内，设备可凭型号密钥领取首张证书，每台仅一次"
        description="请在设备安装通电时开放。设备领取证书后会通知本单位；如非本单位操作，请立即吊销。"
      />
      <Field name="deviceNos" label="设备编号" help="每行一个">
        <Input.TextArea autoSize={{ minRows: 3, maxRows: 10 }} />
      </Field>
      <Field name="hours" label="开放时间（小时）">
        <InputNumber min={1} max={maxEnrolHours} precision={0} />
      </Field>
    </FormDialog>
  )
}

type RevokeProps = { rows: readonly Credential[]; onDone: () => void } & Closing

export function RevokeDialog({ rows, onClose, onDone }: RevokeProps) {
  const [first] = rows
  const what = rows.length === 1 ? (first?.deviceNo ?? '') : `${rows.length} 个凭证`
  return (
    <FormDialog
      title={`吊销：${what}`}
      route={deviceAuth.revoke}
      okText="吊销"
      toBody={(values) => ({ ...values, ids: rows.map((row) => row.id) }) as BodyOf<typeof deviceAuth.revoke>}
      refresh={refresh}
      onClose={onClose}
      onDone={onDone}
    >
      <Alert
        className="auth-alert"
        type="error"
        showIcon
        title="吊销后设备的连接在几秒内断开，且不能再次接入"
        description="不可恢复。没有其他有效凭证的设备须重新签发后才能接入。"
      />
      <Field name="reason" label="原因">
        <Input autoComplete="off" />
      </Field>
    </FormDialog>
  )
}
