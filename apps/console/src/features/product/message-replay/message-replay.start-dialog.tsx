import {
  messageReplay,
  replayMaxHours,
  replayMaxMessages,
  replaySpeed,
} from '@wattdeck/contract/product/message-replay.ts'
import { Alert, Select } from 'antd'
import { useState } from 'react'
import { errorText } from '../../../kit/api/error-handling.ts'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { MomentPicker } from '../../../kit/form/MomentPicker.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { useDebouncedText } from '../../../kit/display/use-settled.ts'
import { formatDatetime } from '../../../kit/display/format-datetime.ts'
import { SelectField } from '../../../kit/form/fields/SelectField.tsx'
import '../_shared/product.css'

type Props = { deviceId: string; deviceNo: string; onClose: () => void; onDone: (id: string) => void }

const hourMs = 3_600_000

/** The messages to replay, the speed and the target device. */
export function ReplayDialog({ deviceId, deviceNo, onClose, onDone }: Props) {
  const [now] = useState(() => Date.now())
  return (
    <FormDialog
      title={`重放报文：${deviceNo}`}
      route={messageReplay.start}
      okText="开始重放"
      initial={{ beginAt: formatDatetime(now - hourMs), endAt: formatDatetime(now), speed: replaySpeed.code.max }}
      also={{ deviceId }}
      refresh={[messageReplay.list]}
      onClose={onClose}
      onDone={({ id }) => onDone(id)}
    >
      <Alert
        className="replay-note"
        type="info"
        showIcon
        title="设备当时上报的报文由测试设备再上报一次，用于核对平台的处理结果；原设备不受影响"
        description="卡号、车架号替换为固定的代号，SIM 卡号、网络地址和原始报文不带入测试机构。"
      />
      <Field name="beginAt" label="开始时间">
        <MomentPicker />
      </Field>
      <Field
        name="endAt"
        label="结束时间"
        help={`最长 ${replayMaxHours} 小时，最多 ${replayMaxMessages} 条；报文保留 7 天`}
      >
        <MomentPicker />
      </Field>
      <SelectField
        name="speed"
        label="速度"
        help="尽快或倍速重放时，报文之间的间隔变短，不会重现因长时间无通信而离线的情况"
        options={replaySpeed.options}
      />
      <Field name="targetDeviceId" label="目标设备" choose help="目标设备会先恢复到原设备当时的状态">
        <TargetSelect deviceId={deviceId} />
      </Field>
    </FormDialog>
  )
}

type SelectProps = { deviceId: string; id?: string; value?: string; onChange?: (id: string) => void }

function TargetSelect({ deviceId, ...rest }: SelectProps) {
  const [text, setText] = useState('')
  const keyword = useDebouncedText(text)
  const targets = useDetail(messageReplay.targets, { query: { deviceId, ...(keyword === '' ? {} : { keyword }) } })
  const missing =
    keyword === '' ? '没有可用的测试设备，请先在测试机构中添加与本设备类型、端口数相同的设备' : '没有匹配的测试设备'
  return (
    <Select
      {...rest}
      placeholder="测试机构中同类型的设备，可输入编号查找"
      loading={targets.isFetching}
      // The server filters the options.
      showSearch={{ filterOption: false, onSearch: setText }}
      options={(targets.data ?? []).map(({ id, deviceNo, name, organiseName }) => ({
        value: id,
        label: `${deviceNo} ${name}（${organiseName}）`,
      }))}
      notFoundContent={targets.error ? errorText(targets.error) : targets.data ? missing : '正在搜索…'}
    />
  )
}
