import { personalData } from '@wattdeck/contract/auth/personal-data.ts'
import { type PersonalKind, session } from '@wattdeck/contract/auth/session.ts'
import { unmaskPermission } from '@wattdeck/domain/roles.ts'
import { App, Form, Input, Modal, Select } from 'antd'
import { useState } from 'react'
import { call } from '../api/api.ts'
import { errorText } from '../api/error-handling.ts'
import { useUser } from '../api/user.ts'
import { dialogWidth } from './dialog-width.ts'

const reasons = ['联系客户', '核对身份', '处理投诉', '财务对账', '其他']
type Props = {
  of: { kind: PersonalKind; rowId: string; field: string }
  what: string
  onClose: () => void
  onShown: (value: string, seconds: number) => void
}

/** Prompts for the reason to unmask a value. The log records the reason with the user. */
export function RevealDialog({ of, what, onClose, onShown }: Props) {
  const { message } = App.useApp()
  const userId = useUser()?.id ?? ''
  const [form] = Form.useForm<{ reason: string; detail?: string }>()
  const [pending, setPending] = useState(false)
  const other = Form.useWatch('reason', form) === '其他'

  async function show({ reason, detail = '' }: { reason: string; detail?: string }) {
    setPending(true)
    try {
      const why = reason === '其他' ? detail.trim() : reason
      const ask = () => call(session.verifyPermissions, { params: { userId }, body: { ...of, reason: why } })
      let failure: unknown
      const allowed = await unmaskPermission(async () => {
        try {
          return (await ask()).data
        } catch (error) {
          failure = error
          return false
        }
      })
      if (!allowed) throw failure ?? new Error('no permission')
      const { data } = await call(personalData.read, { query: of })
      onShown(data.value ?? '', data.seconds)
      onClose()
    } catch (error) {
      void message.error(errorText(error))
    } finally {
      setPending(false)
    }
  }
  return (
    <Modal
      open
      width={dialogWidth.s}
      title={`查看${what}明文`}
      okText="查看"
      cancelText="取消"
      confirmLoading={pending}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <p className="meta">明文显示 30 秒，查看人、时间和原因将记入日志，每人每天最多 50 次。</p>
      <Form form={form} layout="vertical" onFinish={(values) => void show(values)}>
        <Form.Item name="reason" label="查看原因" rules={[{ required: true, message: '请选择查看原因' }]}>
          <Select options={reasons.map((text) => ({ value: text, label: text }))} />
        </Form.Item>
        {other && (
          <Form.Item
            name="detail"
            label="具体原因"
            rules={[{ required: true, min: 2, max: 100, message: '请填写2-100个字的具体原因' }]}
          >
            <Input.TextArea rows={2} maxLength={100} />
          </Form.Item>
        )}
      </Form>
    </Modal>
  )
}
