import { passwordProblem, passwordRuleText, passwordStrength } from '@wattdeck/domain/password.ts'
import { Form, Input } from 'antd'

const words = ['', '弱', '中', '较强', '强'] as const
const tones = ['off', 'bad', 'warn', 'run', 'ok'] as const

type Props = { name?: string; label?: string; loginName?: string; size?: 'large' | 'medium' }

/** An input for a new password with its rule and a strength bar. */
export function PasswordField({ name = 'newPassword', label = '新密码', loginName, size = 'medium' }: Props) {
  const value = (Form.useWatch(name) as string | undefined) ?? ''
  const strength = passwordStrength(value)
  return (
    <Form.Item
      name={name}
      label={label}
      required
      validateTrigger="onBlur"
      extra={
        <div className="strength">
          <div className="strength-bar" data-tone={tones[strength]} aria-hidden>
            {[1, 2, 3, 4].map((step) => (
              <span key={step} data-on={step <= strength} />
            ))}
          </div>
          <span aria-live="polite">{value === '' ? passwordRuleText : `密码强度：${words[strength] ?? ''}`}</span>
        </div>
      }
      rules={[
        {
          validator: (_, password: string | undefined) => {
            const problem = password ? passwordProblem(password, loginName) : `请输入${label}`
            return problem === undefined ? Promise.resolve() : Promise.reject(new Error(problem))
          },
        },
      ]}
    >
      <Input.Password size={size} autoComplete="new-password" maxLength={64} />
    </Form.Item>
  )
}

export function RepeatPasswordField({
  of = 'newPassword',
  size = 'medium',
}: {
  of?: string
  size?: 'large' | 'medium'
}) {
  return (
    <Form.Item
      name="repeatPassword"
      label="确认密码"
      dependencies={[of]}
      required
      validateTrigger="onBlur"
      rules={[
        ({ getFieldValue }) => ({
          validator: (_, password: string | undefined) => {
            if (!password) return Promise.reject(new Error('请再次输入新密码'))
            return password === getFieldValue(of)
              ? Promise.resolve()
              : Promise.reject(new Error('两次输入的密码不一致'))
          },
        }),
      ]}
    >
      <Input.Password size={size} autoComplete="new-password" maxLength={64} />
    </Form.Item>
  )
}
