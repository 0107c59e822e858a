import { Button, Form, Input } from 'antd'
import { FailureAlert } from '../../../kit/form/FailureAlert.tsx'

type Props = { texts: readonly string[]; pending: boolean; okText: string; onCode: (code: string) => void }

/** The six digits of an authenticator. Supports paste and browser autofill. */
export function OneTimeCode({ texts, pending, okText, onCode }: Props) {
  return (
    <Form<{ code: string }>
      name="one-time"
      layout="vertical"
      requiredMark={false}
      onFinish={({ code }) => onCode(code)}
    >
      <FailureAlert texts={texts} />
      <Form.Item
        name="code"
        label="动态口令"
        rules={[{ required: true, pattern: /^\d{6}$/, message: '请输入6位动态口令' }]}
      >
        <Input size="large" inputMode="numeric" autoComplete="one-time-code" maxLength={6} />
      </Form.Item>
      <Button block type="primary" size="large" htmlType="submit" loading={pending}>
        {okText}
      </Button>
    </Form>
  )
}
