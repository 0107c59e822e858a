import { login } from '@wattdeck/contract/auth/login.ts'
import { Button, Form, Input } from 'antd'
import { call } from '../../../kit/api/api.ts'
import { FailureAlert } from '../../../kit/form/FailureAlert.tsx'
import { makePasskey } from '../../../kit/api/passkey.ts'
import { usePasskey } from '../../../kit/api/use-passkey.ts'
import type { Bound } from './step-props.ts'

export function EnrolPasskey({ onBound }: { onBound: (bound: Bound) => void }) {
  const passkey = usePasskey()
  const bind = async (name: string) => {
    const { data } = await call(login.startPasskey)
    const answer = await makePasskey(data.options)
    onBound((await call(login.confirmPasskey, { body: { name, answer } })).data)
  }
  return (
    <Form<{ name: string }>
      name="enrol-passkey"
      layout="vertical"
      requiredMark={false}
      initialValues={{ name: '我的通行密钥' }}
      onFinish={({ name }) => void passkey.run(() => bind(name))}
    >
      <FailureAlert texts={passkey.texts} />
      <Form.Item
        name="name"
        label="名称"
        extra="使用本机的指纹、人脸、PIN 码或安全密钥完成绑定"
        rules={[{ required: true, whitespace: true, message: '请输入名称' }]}
      >
        <Input size="large" maxLength={30} autoComplete="off" />
      </Form.Item>
      <Button block type="primary" size="large" htmlType="submit" loading={passkey.pending}>
        绑定并登录
      </Button>
    </Form>
  )
}
