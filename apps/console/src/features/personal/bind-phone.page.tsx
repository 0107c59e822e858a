import { basicInfo } from '@wattdeck/contract/personal/basic-info.ts'
import { bindPhone } from '@wattdeck/contract/personal/bind-phone.ts'
import { Button, Form, Input } from 'antd'
import { Field, FormRoute } from '../../kit/form/Field.tsx'
import { useDetail } from '../../kit/api/queries.ts'
import { States } from '../../kit/display/States.tsx'
import { useSubmit } from '../../kit/form/use-submit.ts'
import { reloadUser, useUser } from '../../kit/api/user.ts'
import { ActedByNotice } from './basic-info/ActedByNotice.tsx'
import { CodeInput } from '../../kit/form/CodeInput.tsx'
import { FailureAlert } from '../../kit/form/FailureAlert.tsx'
import { PersonalFrame } from './_shared/PersonalFrame.tsx'
import { Section } from './_shared/Section.tsx'

type Values = { phone: string; code: string; password: string }

export default function BindPhonePage() {
  const barred = Boolean(useUser()?.actedBy)
  const [form] = Form.useForm<Values>()
  const current = useDetail(bindPhone.current)
  const code = useSubmit(bindPhone.sendCode, { form })
  const bind = useSubmit(bindPhone.bind, {
    feedback: 'inline',
    form,
    refresh: [bindPhone.current, basicInfo.read],
    onDone: () => {
      form.resetFields()
      void reloadUser()
    },
  })

  async function sendCode(): Promise<boolean> {
    try {
      const { phone } = await form.validateFields(['phone'])
      return await code.run({ body: { phone } })
    } catch {
      // The form shows the validation errors.
      return false
    }
  }

  return (
    <PersonalFrame title="绑定手机">
      <div className="personal-narrow">
        <ActedByNotice what="绑定手机" />
        <Section title="当前手机">
          <States query={current} rows={1}>
            {({ phone }) => <p className="current-phone">{phone}</p>}
          </States>
          <p className="meta">用于短信登录、找回密码和接收通知。</p>
        </Section>
        <Section title="更换手机号">
          <Form form={form} layout="vertical" onFinish={(values) => void bind.run({ body: values })}>
            <FormRoute value={bindPhone.bind}>
              <FailureAlert texts={bind.texts} />
              <Field name="phone" label="新手机号">
                <Input inputMode="tel" autoComplete="tel" maxLength={11} />
              </Field>
              <Field name="code" label="短信验证码">
                <CodeInput send={sendCode} pending={code.pending} />
              </Field>
              <Field name="password" label="登录密码" help="为保护账号安全，请再次输入登录密码">
                <Input.Password autoComplete="current-password" maxLength={128} />
              </Field>
              <Button type="primary" htmlType="submit" loading={bind.pending} disabled={barred}>
                确认绑定
              </Button>
            </FormRoute>
          </Form>
        </Section>
      </div>
    </PersonalFrame>
  )
}
