import type { AnyRoute, BodyOf } from '@wattdeck/contract/kit/route.ts'
import {
  accessWay,
  type DtuProtocol,
  dtuProtocol,
  protocolAdapter,
  transport,
} from '@wattdeck/contract/product/dtu-protocol.ts'
import { Input, InputNumber, Select } from 'antd'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { FormSection } from '../../../kit/form/FormSection.tsx'
import { initialOf } from '../_shared/catalogue-actions.ts'

type Props = { of?: DtuProtocol; refresh: readonly AnyRoute[]; onClose: () => void }

export function ProtocolDialog({ of, refresh, onClose }: Props) {
  const common = { columns: 2 as const, size: 780 as const, refresh, onClose }
  if (of)
    return (
      <FormDialog
        {...common}
        title={`编辑协议：${of.name}（${of.code}）`}
        route={dtuProtocol.edit}
        initial={initialOf(of)}
        toBody={(values) => ({ ...values, id: of.id }) as BodyOf<typeof dtuProtocol.edit>}
      >
        <ProtocolFields bound={of.adapter !== null && of.typeNames.length > 0} />
      </FormDialog>
    )
  return (
    <FormDialog
      {...common}
      title="新增协议"
      route={dtuProtocol.add}
      initial={{
        transport: transport.code.tcp,
        accessWay: accessWay.code.own,
        heartbeatS: 180,
        missedHeartbeats: 2,
      }}
    >
      <Field name="code" label="协议编码" help="大写字母、数字或短横线，保存后不能修改">
        <Input autoComplete="off" />
      </Field>
      <ProtocolFields bound={false} />
    </FormDialog>
  )
}

const ProtocolFields = ({ bound }: { bound: boolean }) => (
  <>
    <Field name="name" label="协议名称">
      <Input autoComplete="off" />
    </Field>
    <Field name="version" label="版本">
      <Input autoComplete="off" />
    </Field>
    <Field
      name="adapter"
      label="解析程序"
      choose
      help={bound ? '已有设备类型使用该协议，不能更改' : '留空则只登记，暂不能接入设备'}
    >
      <Select allowClear disabled={bound} placeholder="仅登记" options={protocolAdapter.options} />
    </Field>
    <FormSection title="接入" />
    <Field name="transport" label="传输" choose>
      <Select options={transport.options} />
    </Field>
    <Field name="accessWay" label="接入方式" choose>
      <Select options={accessWay.options} />
    </Field>
    <Field name="endpoint" label="端口/主题" wide>
      <Input autoComplete="off" />
    </Field>
    <Field name="heartbeatS" label="心跳间隔（秒）">
      <InputNumber min={5} max={86_400} precision={0} style={{ width: '100%' }} />
    </Field>
    <Field name="missedHeartbeats" label="离线判定（漏心跳次数）" help="连续漏收这么多次心跳即视为离线">
      <InputNumber min={1} max={20} precision={0} style={{ width: '100%' }} />
    </Field>
    <FormSection title="说明" />
    <Field name="frameFormat" label="帧格式" wide>
      <Input.TextArea autoSize={{ minRows: 3, maxRows: 8 }} />
    </Field>
    <Field name="remark" label="备注" wide>
      <Input.TextArea autoSize={{ minRows: 2, maxRows: 6 }} />
    </Field>
  </>
)
