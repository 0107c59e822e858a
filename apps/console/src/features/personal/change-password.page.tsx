import { changePassword } from '@wattdeck/contract/personal/change-password.ts'
import { passwordPolicy } from '@wattdeck/domain/password.ts'
import { Alert, Button, Form, Input } from 'antd'
import { Field, FormRoute } from '../../kit/form/Field.tsx'
import { PasswordField, RepeatPasswordField } from '../../kit/form/PasswordField.tsx'
import { leave } from '../../kit/api/session.ts'
import { expectSessionEnd } from '../../kit/api/session-end.ts'
import { useSubmit } from '../../kit/form/use-submit.ts'
import { useUser } from '../../kit/api/user.ts'
import { ActedByNotice } from './basic-info/ActedByNotice.tsx'
import { FailureAlert } from '../../kit/form/FailureAlert.tsx'
import { PersonalFrame } from './_shared/PersonalFrame.tsx'
import { Section } from './_shared/Section.tsx'

type Values = { oldPassword: string; newPassword: string }

export default function ChangePasswordPage() {
  const user = useUser()
  const [form] = Form.useForm<Values>()
  // Every session has ended, this one included.
  const submit = useSubmit(changePassword.change, {
    feedback: 'inline',
    form,
    onDone: () => void leave().finally(() => expectSessionEnd(false)),
    onFailed: () => expectSessionEnd(false),
  })
  function send(body: Values) {
    expectSessionEnd(true)
    return submit.run({ body })
  }

  return (
    <PersonalFrame title="修改密码">
      <div className="personal-narrow">
        <ActedByNotice what="修改密码" />
        <Section>
          <Form<Values>
            form={form}
            layout="vertical"
            onFinish={({ oldPassword, newPassword }) => void send({ oldPassword, newPassword })}
          >
            <FormRoute value={changePassword.change}>
              <FailureAlert texts={submit.texts} />
              <input hidden readOnly name="username" autoComplete="username" value={user?.loginName ?? ''} />
              <Field name="oldPassword" label="原密码">
                <Input.Password autoComplete="current-password" maxLength={128} />
              </Field>
              <PasswordField {...(user ? { loginName: user.loginName } : {})} />
              <RepeatPasswordField />
              <Alert
                type="info"
                showIcon
                title={`修改成功后需要用新密码重新登录，其他设备上的登录也会退出。新密码 ${passwordPolicy.maxAgeDays} 天内有效，且不能与最近 ${passwordPolicy.barredLast} 次的密码相同。`}
              />
              <Button type="primary" htmlType="submit" loading={submit.pending} disabled={Boolean(user?.actedBy)}>
                提交
              </Button>
            </FormRoute>
          </Form>
        </Section>
      </div>
    </PersonalFrame>
  )
}
