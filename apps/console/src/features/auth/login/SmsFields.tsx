import { MobileOutlined } from '@ant-design/icons'
import { phone } from '@wattdeck/contract/kit/wire.ts'
import { login, type smsPurpose } from '@wattdeck/contract/auth/login.ts'
import { App, Form, Input } from 'antd'
import { CaptchaField, useCaptcha } from '../../../kit/form/CaptchaField.tsx'
import { SmsCodeButton } from '../../../kit/form/SmsCodeButton.tsx'
import { useSubmit } from '../../../kit/form/use-submit.ts'

type Purpose = keyof typeof smsPurpose.code
type Values = { phone: string; captchaCode: string }

/** Phone, captcha and SMS code, as fields of the surrounding form. */
export function SmsFields({ purpose }: { purpose: Purpose }) {
  const { message } = App.useApp()
  const form = Form.useFormInstance<Values>()
  const captcha = useCaptcha()
  const submit = useSubmit(login.sendSmsCode, {
    feedback: 'silent',
    onDone: () => void message.success('验证码已发送，60秒后可重新获取'),
    onFailed: () => {
      form.resetFields(['captchaCode'])
      captcha.renew()
    },
  })
  async function send(): Promise<boolean> {
    try {
      const values = await form.validateFields(['phone', 'captchaCode'])
      if (!captcha.id) return false
      return await submit.run({ body: { ...values, purpose, captchaId: captcha.id } })
    } catch {
      // The form shows the validation errors.
      return false
    }
  }
  return (
    <>
      <Form.Item
        name="phone"
        label="手机号"
        validateTrigger="onBlur"
        rules={[
          {
            validator: (_, value) =>
              phone.safeParse(value).success ? Promise.resolve() : Promise.reject(new Error('请输入正确的手机号')),
          },
        ]}
      >
        <Input size="large" prefix={<MobileOutlined />} inputMode="tel" autoComplete="tel" maxLength={11} />
      </Form.Item>
      <CaptchaField captcha={captcha} />
      <Form.Item label="短信验证码" htmlFor="code">
        <div className="sms-row">
          <Form.Item
            name="code"
            noStyle
            rules={[{ required: true, pattern: /^\d{6}$/, message: '请输入6位短信验证码' }]}
          >
            <Input id="code" size="large" inputMode="numeric" autoComplete="one-time-code" maxLength={6} />
          </Form.Item>
          <SmsCodeButton send={send} pending={submit.pending} />
        </div>
      </Form.Item>
    </>
  )
}
