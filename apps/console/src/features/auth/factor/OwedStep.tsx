import { Button } from 'antd'
import { AuthFrame } from '../_shared/AuthFrame.tsx'
import { type Owed, owedSteps } from './owed-steps.ts'
import type { StepProps } from './step-props.ts'

/** The pending step of a session after the password. */
export function OwedStep({ owed, onTicket, onRestart }: StepProps & { owed: Owed; onRestart: () => void }) {
  const { title, lead, Step } = owedSteps[owed]
  return (
    <AuthFrame title={title} lead={lead}>
      <Step onTicket={onTicket} />
      <Button block type="link" onClick={onRestart} style={{ marginTop: 12 }}>
        返回登录
      </Button>
    </AuthFrame>
  )
}
