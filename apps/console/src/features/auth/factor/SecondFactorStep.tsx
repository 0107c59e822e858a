import { login } from '@wattdeck/contract/auth/login.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { call } from '../../../kit/api/api.ts'
import { States } from '../../../kit/display/States.tsx'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { FactorProof } from './FactorProof.tsx'
import { RecoverForm } from './RecoverForm.tsx'
import type { StepProps } from './step-props.ts'
import { useFactors } from './use-factors.ts'

export function SecondFactorStep({ onTicket }: StepProps) {
  const query = useFactors()
  const [recovering, setRecovering] = useState(false)
  const submit = useSubmit(login.secondFactor, { feedback: 'quiet', onDone: onTicket })
  const sendAnswer = async (answer: string) =>
    onTicket((await call(login.secondFactorByPasskey, { body: { answer } })).data)
  return (
    <States query={query} rows={3}>
      {(factors) => (
        <>
          {recovering ? (
            <RecoverForm onTicket={onTicket} />
          ) : (
            <FactorProof
              factors={factors}
              okText="验证"
              texts={submit.texts}
              pending={submit.pending}
              onCode={(code) => void submit.run({ body: { code } })}
              sendAnswer={sendAnswer}
            />
          )}
          {factors.recoveryCode && (
            <Button block type="link" className="auth-other" onClick={() => setRecovering(!recovering)}>
              {recovering ? '返回二次验证' : '无法验证？使用恢复码'}
            </Button>
          )}
        </>
      )}
    </States>
  )
}
