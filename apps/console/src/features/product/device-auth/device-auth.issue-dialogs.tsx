import type { DataOf } from '@wattdeck/contract/kit/route.ts'
import { deviceAuth, maxIssued } from '@wattdeck/contract/product/device-auth.ts'
import { Alert, Button, Input, InputNumber, Modal } from 'antd'
import { useState } from 'react'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { saveBlob, saveText } from '../../../kit/api/save-file.ts'
import './device-auth.css'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'

const terms = { days: 730, overlapDays: 7 }
const refresh = [deviceAuth.list]

const TermFields = () => (
  <>
    <Field name="days" label="有效天数">
      <InputNumber min={1} max={3650} precision={0} style={{ width: '100%' }} />
    </Field>
    <Field name="overlapDays" label="旧证书保留天数" help="设备已有证书时，旧证书在此期间仍然有效">
      <InputNumber min={0} max={90} precision={0} style={{ width: '100%' }} />
    </Field>
  </>
)

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0) ?? 0)
export type Issued = DataOf<typeof deviceAuth.issueKeys>
type IssueProps = { deviceNos: string; onClose: () => void; onDone: (made: Issued) => void }
const save = ({ archive, batchNo }: Issued) =>
  saveBlob(new Blob([bytesOf(archive)], { type: 'application/zip' }), `设备证书_${batchNo}.zip`)

/** Keys made by us: they are in the file that is saved, and nowhere else. */
export function IssueDialog({ deviceNos, onClose, onDone }: IssueProps) {
  return (
    <FormDialog
      title={deviceNos === '' ? '生成密钥和证书' : '轮换密钥和证书'}
      route={deviceAuth.issueKeys}
      okText="生成"
      initial={{ ...terms, ...(deviceNos === '' ? {} : { deviceNos }) }}
      refresh={refresh}
      onClose={onClose}
      onDone={(data) => {
        save(data)
        onDone(data)
      }}
    >
      <Alert
        className="auth-alert"
        type="info"
        showIcon
        title="设备能自己生成密钥时，请使用「按请求签发」，密钥不出设备"
      />
      <Field name="deviceNos" label="设备编号" help={`每行一个，最多 ${maxIssued} 台；仅限 MQTT 设备`}>
        <Input.TextArea rows={5} spellCheck={false} />
      </Field>
      <TermFields />
    </FormDialog>
  )
}

export function IssuedDialog({ made, onClose }: { made: Issued; onClose: () => void }) {
  return (
    <Modal
      open
      title={`批次 ${made.batchNo}：${made.count} 台设备的密钥已生成`}
      width={dialogWidth.s}
      mask={{ closable: false }}
      keyboard={false}
      closable={false}
      footer={
        <>
          <Button onClick={() => save(made)}>再次保存</Button>
          <Button type="primary" onClick={onClose}>
            我已保存，关闭
          </Button>
        </>
      }
    >
      <Alert
        type="warning"
        showIcon
        title="密钥仅提供这一次，平台不保存，关闭后无法再次下载"
        description="压缩包内每台设备一个文件夹，含密钥（device.key）和证书（device.crt）；ca.crt 为颁发机构证书。"
      />
    </Modal>
  )
}

/** The device keeps its key and asks by a request. */
export function CsrDialog({ onClose }: { onClose: () => void }) {
  const [deviceNo, setDeviceNo] = useState('')
  return (
    <FormDialog
      title="按请求签发证书"
      route={deviceAuth.issueByCsr}
      okText="签发并下载"
      initial={terms}
      toBody={(values) => {
        setDeviceNo(String(values['deviceNo']))
        return values as never
      }}
      refresh={refresh}
      onClose={onClose}
      onDone={({ certificate, authority }) => saveText(`${deviceNo || '设备'}.crt`, certificate + authority)}
    >
      <Field name="deviceNo" label="设备编号">
        <Input autoComplete="off" />
      </Field>
      <Field name="csr" label="证书请求" help="PEM 格式的 PKCS #10 请求，名称（CN）为设备的通信标识">
        <Input.TextArea rows={8} spellCheck={false} placeholder="-----BEGIN CERTIFICATE REQUEST-----" />
      </Field>
      <TermFields />
    </FormDialog>
  )
}
