import { Input } from 'antd'
import type { ChangeEvent } from 'react'
import { SmsCodeButton } from './SmsCodeButton.tsx'

type Props = {
  /** Value, id and onChange come from the form. */
  id?: string
  value?: string
  onChange?: (event: ChangeEvent<HTMLInputElement>) => void
  send: () => Promise<boolean>
  pending: boolean
}

/** An input for an SMS code with the button that requests it. */
export function CodeInput({ send, pending, value = '', ...field }: Props) {
  return (
    <div className="sms-row">
      <Input {...field} value={value} inputMode="numeric" autoComplete="one-time-code" maxLength={6} />
      <SmsCodeButton send={send} pending={pending} />
    </div>
  )
}
