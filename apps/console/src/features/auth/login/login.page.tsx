import { Tabs } from 'antd'
import { AuthFrame } from '../_shared/AuthFrame.tsx'
import { OwedStep } from '../factor/OwedStep.tsx'
import { PasswordLogin } from './PasswordLogin.tsx'
import { SmsLogin } from './SmsLogin.tsx'
import { useEntry } from '../_shared/use-entry.ts'

export default function LoginPage() {
  const { owed, enter, restart } = useEntry()
  if (owed) return <OwedStep owed={owed} onTicket={enter} onRestart={restart} />
  return (
    <AuthFrame title="欢迎登录" lead="使用您的账号进入物联网控制平台">
      <Tabs
        destroyOnHidden
        items={[
          { key: 'password', label: '密码登录', children: <PasswordLogin onTicket={enter} /> },
          { key: 'sms', label: '短信登录', children: <SmsLogin onTicket={enter} /> },
        ]}
      />
    </AuthFrame>
  )
}
