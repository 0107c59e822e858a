import { login } from '@wattdeck/contract/auth/login.ts'
import { Button, Form, Input } from 'antd'
import { PasswordField, RepeatPasswordField } from '../../../kit/form/PasswordField.tsx'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { FailureAlert } from '../../../kit/form/FailureAlert.tsx'
import type { StepProps } from './step-props.ts'

type Values = { oldPassword: string; newPassword: string }

export function RenewPasswordStep({ onTicket }: StepProps) {
  const [form] = Form.useForm<Values>()
  const submit = useSubmit(login.renewPassword, { feedback: 'quiet', form, onDone: onTicket })
  return (
    <Form<Values>
      form={form}
      name="renew"
      layout="vertical"
      requiredMark={false}
      onFinish={({ oldPassword, newPassword }) => void submit.run({ body: { oldPassword, newPassword } })}
    >
      <FailureAlert texts={submit.texts} />
      <Form.Item name="oldPassword" label="原密码" rules={[{ required: true, message: '请输入原密码' }]}>
        <Input.Password size="large" autoComplete="current-password" maxLength={128} />
      </Form.Item>
      <PasswordField size="large" />
      <RepeatPasswordField size="large" />
      <Button block type="primary" size="large" htmlType="submit" loading={submit.pending}>
        更换密码并登录
      </Button>
    </Form>
  )
}
