import { useQuery } from '@tanstack/react-query'
import { deviceCommand } from '@wattdeck/contract/product/device-command.ts'
import { type Instruction, instructionSet } from '@wattdeck/contract/product/instruction-set.ts'
import { Alert, Button, Form, InputNumber, Modal, Radio, Select, Spin } from 'antd'
import { useState } from 'react'
import { call } from '../../../kit/api/api.ts'
import { errorText } from '../../../kit/api/error-handling.ts'
import { routeKey, useDetail } from '../../../kit/api/queries.ts'
import { useDebouncedText } from '../../../kit/display/use-settled.ts'
import { FailureAlert } from '../../../kit/form/FailureAlert.tsx'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'
import { Field, FormRoute } from '../../../kit/form/Field.tsx'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import { CommandFacts } from '../device-command/device-command.facts.tsx'

const lookEveryMs = 600

type Props = { setId: string; of: Instruction; onClose: () => void }
type Values = { deviceId: string; portNo?: number; on?: boolean; minutes?: number }

/** Sends one instruction to a selected device, and shows the command until it ends. */
export function TestDialog({ setId, of, onClose }: Props) {
  const [form] = Form.useForm<Values>()
  const [commandId, setCommandId] = useState<string>()
  const send = useConfirmedSubmit(instructionSet.test, {
    feedback: 'silent',
    form,
    onDone: (data) => setCommandId(data.commandId),
  })
  const starts = Form.useWatch('on', form) !== false
  const asks = (name: 'portNo' | 'on' | 'minutes') => of.test?.includes(name) === true
  const ask = (values: Values) =>
    send(
      {
        title: `确定要向设备发送「${of.name}」（${of.commandWord}）吗？`,
        content: '指令会立即在设备上执行，可能影响正在进行的充电，并记入操作日志',
        danger: true,
        okText: '发送',
      },
      { body: { instructionId: of.id, ...values } },
    )
  return (
    <Modal
      open
      title={`在线测试：${of.name}（${of.commandWord}）`}
      width={dialogWidth.m}
      mask={{ closable: false }}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>关闭</Button>
          <Button type="primary" onClick={() => form.submit()}>
            {commandId === undefined ? '发送' : '再次发送'}
          </Button>
        </>
      }
    >
      <FormRoute value={instructionSet.test}>
        <Form form={form} layout="vertical" initialValues={{ on: true, minutes: 1 }} onFinish={ask}>
          <Field name="deviceId" label="设备" choose help="使用该指令集协议的设备，须在线">
            <DeviceSelect setId={setId} />
          </Field>
          {asks('portNo') && (
            <Field name="portNo" label="端口号" required>
              <InputNumber min={1} max={24} precision={0} style={{ width: '100%' }} />
            </Field>
          )}
          {asks('on') && (
            <Field name="on" label="动作" choose>
              <Radio.Group
                options={[
                  { value: true, label: '启动' },
                  { value: false, label: '停止' },
                ]}
              />
            </Field>
          )}
          {asks('minutes') && starts && (
            <Field name="minutes" label="充电时长（分钟）" required help="到时自动停止，不计费">
              <InputNumber min={1} max={720} precision={0} style={{ width: '100%' }} />
            </Field>
          )}
        </Form>
      </FormRoute>
      {commandId !== undefined && <Answer key={commandId} commandId={commandId} />}
    </Modal>
  )
}

/** The current state of the command, polled until it ends. */
function Answer({ commandId }: { commandId: string }) {
  const params = { id: commandId }
  const { data, error } = useQuery({
    queryKey: routeKey(deviceCommand.read, params),
    queryFn: async ({ signal }) => (await call(deviceCommand.read, { params, signal })).data,
    refetchInterval: ({ state }) => (state.data?.endedAt == null ? lookEveryMs : false),
  })
  return (
    <section aria-label="测试结果" aria-live="polite">
      {error !== null && <FailureAlert texts={[errorText(error)]} />}
      {data?.endedAt === null && <Alert type="info" showIcon title="已提交，正在等待设备应答" />}
      {data === undefined ? <Spin /> : <CommandFacts command={data} />}
    </section>
  )
}

type SelectProps = { setId: string; id?: string; value?: string; onChange?: (id: string | undefined) => void }

/** Devices with the protocol of the set, by number prefix. */
function DeviceSelect({ setId, ...field }: SelectProps) {
  const [text, setText] = useState('')
  const keyword = useDebouncedText(text)
  const { data = [], isFetching } = useDetail(instructionSet.testDevices, {
    params: { id: setId },
    query: keyword === '' ? {} : { keyword },
  })
  return (
    <Select
      {...field}
      loading={isFetching}
      placeholder="输入设备编号的前几位"
      // The server filters the options.
      showSearch={{ filterOption: false, onSearch: setText }}
      notFoundContent={isFetching ? '正在搜索…' : '没有匹配的设备'}
      options={data.map(({ id, deviceNo, name, online }) => ({
        value: id,
        label: `${deviceNo} ${name}${online ? '' : '（离线）'}`,
        disabled: !online,
      }))}
    />
  )
}
