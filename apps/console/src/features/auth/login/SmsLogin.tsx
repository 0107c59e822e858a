import { login } from '@wattdeck/contract/auth/login.ts'
import { Button, Form } from 'antd'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { FailureAlert } from '../../../kit/form/FailureAlert.tsx'
import { SmsFields } from './SmsFields.tsx'
import type { Ticket } from '../fast-login/ticket.ts'

type Values = { phone: string; code: string }

export function SmsLogin({ onTicket }: { onTicket: (ticket: Ticket) => void }) {
  const submit = useSubmit(login.bySms, { feedback: 'quiet', onDone: onTicket })
  return (
    <Form<Values>
      layout="vertical"
      requiredMark={false}
      onFinish={({ phone, code }) => void submit.run({ body: { phone, code } })}
    >
      <FailureAlert texts={submit.texts} />
      <SmsFields purpose="login" />
      <Button block type="primary" size="large" htmlType="submit" loading={submit.pending}>
        登录
      </Button>
    </Form>
  )
}
