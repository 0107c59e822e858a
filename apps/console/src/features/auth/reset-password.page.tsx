import { login } from '@wattdeck/contract/auth/login.ts'
import { Button, Form } from 'antd'
import { Link, useNavigate } from 'react-router'
import { PasswordField, RepeatPasswordField } from '../../kit/form/PasswordField.tsx'
import { useSubmit } from '../../kit/form/use-submit.ts'
import { FailureAlert } from '../../kit/form/FailureAlert.tsx'
import { AuthFrame } from './_shared/AuthFrame.tsx'
import { SmsFields } from './login/SmsFields.tsx'

type Values = { phone: string; code: string; newPassword: string }

export default function ResetPasswordPage() {
  const navigate = useNavigate()
  const [form] = Form.useForm<Values>()
  const submit = useSubmit(login.resetPassword, {
    feedback: 'inline',
    onDone: () => {
      form.resetFields()
      void navigate('/login')
    },
  })
  return (
    <AuthFrame title="重置密码" lead="通过绑定的手机号验证身份后设置新密码">
      <Form<Values>
        form={form}
        layout="vertical"
        requiredMark={false}
        onFinish={({ phone, code, newPassword }) => void submit.run({ body: { phone, code, newPassword } })}
      >
        <FailureAlert texts={submit.texts} />
        <SmsFields purpose="reset" />
        <PasswordField size="large" />
        <RepeatPasswordField size="large" />
        <Button block type="primary" size="large" htmlType="submit" loading={submit.pending}>
          提交
        </Button>
      </Form>
      <p>
        <Link to="/login">返回登录</Link>
      </p>
    </AuthFrame>
  )
}
