import { EnrolStep } from './EnrolStep.tsx'
import { RenewPasswordStep } from './RenewPasswordStep.tsx'
import { SecondFactorStep } from './SecondFactorStep.tsx'

/** What a session may still owe after the password, in words and as a form. */
export const owedSteps = {
  secondFactor: { title: '动态口令验证', lead: '请输入身份验证器中显示的6位动态口令', Step: SecondFactorStep },
  enrol: { title: '绑定动态口令', lead: '您的账号需要动态口令保护，请使用身份验证器扫码绑定', Step: EnrolStep },
  password: { title: '更换密码', lead: '您的密码已过期或为初始密码，请设置新密码后继续', Step: RenewPasswordStep },
}
export type Owed = keyof typeof owedSteps
