import { Button } from 'antd'
import { EnrolStep } from './EnrolStep.tsx'
import { GateFrame } from './GateFrame.tsx'
import { RenewPasswordStep } from './RenewPasswordStep.tsx'
import { SecondFactorStep } from './SecondFactorStep.tsx'
import type { StepProps } from './step-props.ts'
import type { Stage } from './ticket.ts'

type Owed = Exclude<Stage, 'full'>

const words: Record<Owed, { title: string; lead: string }> = {
  secondFactor: { title: '动态口令验证', lead: '请输入身份验证器中显示的6位动态口令' },
  enrol: { title: '绑定动态口令', lead: '您的账号需要动态口令保护，请使用身份验证器扫码绑定' },
  password: { title: '更换密码', lead: '您的密码已过期或为初始密码，请设置新密码后继续' },
}
const steps = { secondFactor: SecondFactorStep, enrol: EnrolStep, password: RenewPasswordStep }

/** What the session still owes after the password. */
export function OwedStep({ owed, onTicket, onRestart }: StepProps & { owed: Owed; onRestart: () => void }) {
  const Step = steps[owed]
  return (
    <GateFrame {...words[owed]}>
      <Step onTicket={onTicket} />
      <Button block type="link" onClick={onRestart} style={{ marginTop: 12 }}>
        返回登录
      </Button>
    </GateFrame>
  )
}
