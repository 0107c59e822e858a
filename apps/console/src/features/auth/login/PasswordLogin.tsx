import { LockOutlined, UserOutlined } from '@ant-design/icons'
import { login } from '@wattdeck/contract/auth/login.ts'
import { Button, Checkbox, Form, Input } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { CaptchaField, useCaptcha } from '../../../kit/form/CaptchaField.tsx'
import { submitTexts } from '../../../kit/api/error-handling.ts'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { FailureAlert } from '../../../kit/form/FailureAlert.tsx'
import { asksForCaptcha, type Ticket } from '../fast-login/ticket.ts'

type Values = { loginName: string; password: string; captchaCode?: string; remember?: boolean }
type Props = {
  onTicket: (ticket: Ticket) => void
  /** Restricts the login to this account, without links to other accounts or pages. */
  only?: string
}
const rememberedKey = 'login-name'

export function PasswordLogin({ onTicket, only }: Props) {
  const [form] = Form.useForm<Values>()
  const [isCaptchaRequired, setCaptchaRequired] = useState(false)
  const captcha = useCaptcha(isCaptchaRequired)
  const submit = useSubmit(login.byPassword, {
    feedback: 'quiet',
    onDone: onTicket,
    onFailed: (error) => {
      form.resetFields(['captchaCode'])
      if (isCaptchaRequired) captcha.renew()
      else if (asksForCaptcha(submitTexts(error))) setCaptchaRequired(true)
    },
  })
  function send({ loginName, password, captchaCode, remember }: Values) {
    // Only the login name is stored, never the password.
    if (remember) localStorage.setItem(rememberedKey, loginName)
    else if (only === undefined) localStorage.removeItem(rememberedKey)
    const answered = isCaptchaRequired && captcha.id && captchaCode ? { captchaId: captcha.id, captchaCode } : {}
    return submit.run({ body: { loginName: only ?? loginName, password, ...answered } })
  }
  const remembered = localStorage.getItem(rememberedKey) ?? ''
  const initial = only === undefined ? { loginName: remembered, remember: remembered !== '' } : { loginName: only }

  return (
    <Form
      form={form}
      // A separate form name avoids duplicate field ids with the page below.
      name="login"
      layout="vertical"
      requiredMark={false}
      initialValues={initial}
      onFinish={(values) => void send(values)}
    >
      <FailureAlert texts={submit.texts} />
      <Form.Item name="loginName" label="账号/手机号" rules={[{ required: true, message: '请输入账号或手机号' }]}>
        <Input
          size="large"
          prefix={<UserOutlined />}
          autoComplete="username"
          maxLength={40}
          readOnly={only !== undefined}
        />
      </Form.Item>
      <Form.Item name="password" label="密码" rules={[{ required: true, message: '请输入密码' }]}>
        <Input.Password size="large" prefix={<LockOutlined />} autoComplete="current-password" maxLength={128} />
      </Form.Item>
      {isCaptchaRequired && <CaptchaField captcha={captcha} />}
      {only === undefined && (
        <div className="auth-row">
          <Form.Item name="remember" valuePropName="checked" noStyle>
            <Checkbox>记住账号</Checkbox>
          </Form.Item>
          <Link to="/resetPassword">忘记密码</Link>
        </div>
      )}
      <Button block type="primary" size="large" htmlType="submit" loading={submit.pending}>
        登录
      </Button>
    </Form>
  )
}
