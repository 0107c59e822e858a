import { basicInfo, type BasicInfo } from '@wattdeck/contract/personal/basic-info.ts'
import { Form, Input } from 'antd'
import { useCallback } from 'react'
import { Field, FormRoute } from '../../../kit/form/Field.tsx'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { reloadUser } from '../../../kit/api/user.ts'
import { isChanged, type Profile, profileOf } from './profile-changes.ts'
import { SaveBar } from '../_shared/SaveBar.tsx'

export function ProfileForm({ info }: { info: BasicInfo }) {
  const [form] = Form.useForm<Profile>()
  const saved = profileOf(info)
  const dirty = isChanged(
    saved,
    Form.useWatch((values) => values, form),
  )
  const submit = useSubmit(basicInfo.edit, { form, refresh: [basicInfo.read], onDone: () => void reloadUser() })
  const save = useCallback(() => form.submit(), [form])

  return (
    <Form
      form={form}
      layout="vertical"
      initialValues={saved}
      onFinish={({ name, email, address }) => void submit.run({ body: { name, email, address } })}
    >
      <FormRoute value={basicInfo.edit}>
        <div className="form-grid two">
          <Field name="name" label="姓名">
            <Input maxLength={30} autoComplete="name" />
          </Field>
          <Field name="email" label="邮箱">
            <Input maxLength={120} type="email" autoComplete="email" />
          </Field>
          <Field name="address" label="地址" wide>
            <Input maxLength={120} autoComplete="street-address" />
          </Field>
        </div>
      </FormRoute>
      {dirty && <SaveBar pending={submit.pending} onSave={save} onDiscard={() => form.setFieldsValue(saved)} />}
    </Form>
  )
}
