import { login } from '@wattdeck/contract/auth/login.ts'
import { Form, Input } from 'antd'
import { useDetail } from '../api/queries.ts'

export type Captcha = ReturnType<typeof useCaptcha>

/** A picture with digits. Renew it after each use, because each is valid once. */
export function useCaptcha(isEnabled = true) {
  const { data, refetch, isFetching } = useDetail(login.captcha, { enabled: isEnabled })
  return { id: data?.captchaId, image: data?.image, renew: () => void refetch(), isFetching }
}

export function CaptchaField({ captcha, name = 'captchaCode' }: { captcha: Captcha; name?: string }) {
  return (
    <Form.Item label="图形验证码" required htmlFor={name}>
      <div className="captcha-row">
        <Form.Item name={name} noStyle rules={[{ pattern: /^\d{4}$/, required: true, message: '请输入4位图形验证码' }]}>
          <Input id={name} size="large" inputMode="numeric" maxLength={4} autoComplete="off" />
        </Form.Item>
        <button type="button" className="captcha-image" aria-label="看不清，换一张图形验证码" onClick={captcha.renew}>
          {captcha.image ? <img src={captcha.image} alt="图形验证码" /> : <span className="meta">加载中…</span>}
        </button>
      </div>
    </Form.Item>
  )
}
