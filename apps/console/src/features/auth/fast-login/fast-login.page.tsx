import { login } from '@wattdeck/contract/auth/login.ts'
import { Button, Spin } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { FailureAlert } from '../../../kit/form/FailureAlert.tsx'
import { AuthFrame } from '../_shared/AuthFrame.tsx'
import { OwedStep } from '../factor/OwedStep.tsx'
import { takeTicket } from './take-ticket.ts'
import { useEntry } from '../_shared/use-entry.ts'

export default function FastLoginPage() {
  const [ticket] = useState(takeTicket)
  const { owed, enter, restart } = useEntry()
  const submit = useSubmit(login.byTicket, { feedback: 'quiet', onDone: enter })
  const begin = useEffectEvent(() => {
    if (ticket) void submit.run({ body: { ticket } })
  })
  useEffect(() => begin(), [])

  if (owed) return <OwedStep owed={owed} onTicket={enter} onRestart={restart} />
  const failed = ticket === undefined ? ['登录链接无效'] : submit.texts
  return (
    <AuthFrame title="快捷登录">
      {failed.length > 0 ? (
        <>
          <FailureAlert texts={failed} />
          <Button block type="primary" size="large" href="/login">
            返回登录
          </Button>
        </>
      ) : (
        <output className="auth-wait">
          <Spin size="large" />
          正在登录中，请稍候…
        </output>
      )}
    </AuthFrame>
  )
}
