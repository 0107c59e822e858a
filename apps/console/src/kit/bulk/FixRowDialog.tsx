import { batch, type BatchItem, type ImportColumn } from '@wattdeck/contract/system/batch.ts'
import { Alert, App, Form, Input, Modal } from 'antd'
import { FailureAlert } from '../form/FailureAlert.tsx'
import { useSubmit } from '../form/use-submit.ts'
import { changedValues } from './import-model.ts'
import { dialogWidth } from '../form/dialog-width.ts'

type Props = { jobId: string; item: BatchItem; columns: readonly ImportColumn[]; onClose: () => void }

/** One row of a sheet, as a form. */
export function FixRowDialog({ jobId, item, columns, onClose }: Props) {
  const { message } = App.useApp()
  const [form] = Form.useForm<Record<string, string | undefined>>()
  const before = item.values ?? {}
  const submit = useSubmit(batch.fixRow, {
    feedback: 'quiet',
    refresh: [batch.detail, batch.items],
    onDone: ({ reason }) => {
      if (reason === null) void message.success('该行已通过检查')
      else void message.warning(`仍有问题：${reason}`)
      onClose()
    },
  })
  const send = (values: Record<string, string | undefined>) =>
    void submit.run({ body: { id: jobId, seq: Number(item.id), values: changedValues(before, values) } })
  return (
    <Modal
      open
      title={`修正第 ${item.id} 行${item.label === '' ? '' : `：${item.label}`}`}
      width={dialogWidth.m}
      okText="保存并检查"
      cancelText="取消"
      confirmLoading={submit.pending}
      onOk={() => form.submit()}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <FailureAlert texts={submit.texts} />
      {item.reason !== null && <Alert className="dialog-alert" type="warning" showIcon title={item.reason} />}
      <Form form={form} layout="vertical" initialValues={before} onFinish={send}>
        <div className="form-grid two">
          {columns.map(({ key, title, required, note }) => (
            <Form.Item key={key} name={key} label={title} required={required} extra={note}>
              <Input autoComplete="off" />
            </Form.Item>
          ))}
        </div>
      </Form>
    </Modal>
  )
}
