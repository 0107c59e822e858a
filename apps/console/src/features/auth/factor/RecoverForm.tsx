import { login } from '@wattdeck/contract/auth/login.ts'
import { Button, Form, Input } from 'antd'
import { FailureAlert } from '../../../kit/form/FailureAlert.tsx'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import type { StepProps } from './step-props.ts'

/** One of the recovery codes shown when the factor was bound. */
export function RecoverForm({ onTicket }: StepProps) {
  const submit = useSubmit(login.recover, { feedback: 'quiet', onDone: onTicket })
  return (
    <Form<{ code: string }>
      name="recover"
      layout="vertical"
      requiredMark={false}
      onFinish={({ code }) => void submit.run({ body: { code } })}
    >
      <FailureAlert texts={submit.texts} />
      <Form.Item
        name="code"
        label="恢复码"
        extra="每个恢复码只能使用一次。登录后请在个人中心重新绑定二次验证。"
        rules={[{ required: true, pattern: /^[A-Za-z2-7\s-]{16,24}$/, message: '请输入16位恢复码' }]}
      >
        <Input size="large" autoComplete="off" maxLength={24} placeholder="XXXX-XXXX-XXXX-XXXX" />
      </Form.Item>
      <Button block type="primary" size="large" htmlType="submit" loading={submit.pending}>
        验证
      </Button>
    </Form>
  )
}
