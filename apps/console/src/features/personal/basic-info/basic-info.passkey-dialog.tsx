import { login } from '@wattdeck/contract/auth/login.ts'
import { Form, Input, type InputRef, Modal } from 'antd'
import { useRef } from 'react'
import { call } from '../../../kit/api/api.ts'
import { FailureAlert } from '../../../kit/form/FailureAlert.tsx'
import { makePasskey } from '../../../kit/api/passkey.ts'
import { usePasskey } from '../../../kit/api/use-passkey.ts'
import { useBound } from './use-bound.ts'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'

type Values = { name: string; password: string }

/** The password and a name, then the authenticator. */
export function PasskeyDialog({ onClose }: { onClose: () => void }) {
  const [form] = Form.useForm<Values>()
  const field = useRef<InputRef>(null)
  const passkey = usePasskey()
  const take = useBound()
  const bind = async ({ name, password }: Values) => {
    const { data } = await call(login.startPasskey, { body: { password } })
    const answer = await makePasskey(data.options)
    const bound = await call(login.confirmPasskey, { body: { name, answer } })
    onClose()
    take(bound.data)
  }
  return (
    <Modal
      open
      width={dialogWidth.s}
      title="添加通行密钥"
      okText="添加"
      cancelText="取消"
      confirmLoading={passkey.pending}
      onOk={() => form.submit()}
      onCancel={onClose}
      afterOpenChange={(open) => {
        if (open) field.current?.focus()
      }}
    >
      <Form<Values>
        form={form}
        name="add-passkey"
        layout="vertical"
        onFinish={(values) => void passkey.run(() => bind(values))}
      >
        <p className="meta">通行密钥使用本机的指纹、人脸、PIN 码或安全密钥验证，不会被钓鱼网站骗取。</p>
        <FailureAlert texts={passkey.texts} />
        <Form.Item name="name" label="名称" rules={[{ required: true, whitespace: true, message: '请输入名称' }]}>
          <Input ref={field} maxLength={30} autoComplete="off" placeholder="如：办公电脑" />
        </Form.Item>
        <Form.Item
          name="password"
          label="登录密码"
          extra="为保护账号安全，请先输入登录密码"
          rules={[{ required: true, message: '请输入登录密码' }]}
        >
          <Input.Password autoComplete="current-password" maxLength={128} />
        </Form.Item>
      </Form>
    </Modal>
  )
}
