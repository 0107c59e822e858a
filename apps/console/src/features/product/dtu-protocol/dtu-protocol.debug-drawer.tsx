import { direction } from '@wattdeck/contract/product/catalogue.ts'
import { type DecodedFrame, type DtuProtocol, dtuProtocol } from '@wattdeck/contract/product/dtu-protocol.ts'
import { Alert, Button, Drawer, Form, Radio } from 'antd'
import { useState } from 'react'
import { FailureAlert } from '../../../kit/form/FailureAlert.tsx'
import { Field, FormRoute } from '../../../kit/form/Field.tsx'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { LinesField } from '../../../kit/form/fields/TextField.tsx'
import './dtu-protocol.debug.css'

type Values = { direction: (typeof direction.options)[number]['value']; frame: string }

/** Decodes a pasted frame. Nothing is stored or sent to a device. */
export function DebugDrawer({ of, onClose }: { of: DtuProtocol; onClose: () => void }) {
  const [form] = Form.useForm<Values>()
  const [result, setResult] = useState<DecodedFrame>()
  const submit = useSubmit(dtuProtocol.decode, {
    feedback: 'quiet',
    form,
    onDone: setResult,
    onFailed: () => setResult(undefined),
  })
  const { help, example } = writing(of.adapter)
  return (
    <Drawer open title={`报文调试：${of.name}`} size={780} onClose={onClose}>
      <Form
        form={form}
        layout="vertical"
        initialValues={{ direction: direction.code.up }}
        onFinish={(values) => void submit.run({ body: { ...values, id: of.id } })}
      >
        <FormRoute value={dtuProtocol.decode}>
          <Field name="direction" label="方向" choose help="上行为设备上报，下行为平台下发">
            <Radio.Group options={direction.options} />
          </Field>
          <LinesField
            name="frame"
            label="报文"
            help={help}
            className="frame-text"
            autoSize={{ minRows: 4, maxRows: 12 }}
            spellCheck={false}
            placeholder={example}
          />
        </FormRoute>
        <FailureAlert texts={submit.texts} />
        <Button type="primary" htmlType="submit" loading={submit.pending}>
          解析
        </Button>
      </Form>
      {result && <Result of={result} />}
    </Drawer>
  )
}

/** The input format of frames of this protocol. */
function writing(adapter: DtuProtocol['adapter']) {
  if (adapter === 'dny' || adapter === 'ykc')
    return { help: '一帧完整的十六进制报文，可以带空格', example: adapter === 'dny' ? '44 4E 59 …' : '68 …' }
  return { help: '一条完整的 JSON 消息', example: adapter === 'ocpp16' ? '[2, "1", "Heartbeat", {}]' : '{"v":1, …}' }
}

function Result({ of: { problem, kind, parts, fields } }: { of: DecodedFrame }) {
  return (
    <section className="frame-result" aria-live="polite">
      {problem === null ? (
        <Alert type="success" showIcon title={`解析成功：${kind ?? ''}`} />
      ) : (
        <Alert type="error" showIcon title={problem} />
      )}
      {fields.length > 0 && (
        <>
          <h3>报文内容</h3>
          <dl className="frame-facts">
            {fields.map(({ name, label, value }) => (
              <div key={name}>
                <dt>
                  {label} <span className="meta">{name}</span>
                </dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      {parts.length > 0 && (
        <>
          <h3>报文结构</h3>
          <dl className="frame-facts">
            {parts.map(({ label, raw, note }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>
                  <code>{raw}</code> {note && <span className="meta">{note}</span>}
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </section>
  )
}
