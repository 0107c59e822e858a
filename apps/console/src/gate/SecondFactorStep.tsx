import { login } from '@wattdeck/contract/session/login.ts'
import { useSubmit } from '../kit/use-submit.ts'
import { OneTimeCode } from './OneTimeCode.tsx'
import type { StepProps } from './step-props.ts'

export function SecondFactorStep({ onTicket }: StepProps) {
  const submit = useSubmit(login.secondFactor, { tell: 'quiet', onDone: onTicket })
  return (
    <OneTimeCode
      okText="验证"
      texts={submit.texts}
      pending={submit.pending}
      onCode={(code) => void submit.run({ body: { code } })}
    />
  )
}
