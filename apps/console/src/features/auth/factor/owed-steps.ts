import { EnrolStep } from './EnrolStep.tsx'
import { RenewPasswordStep } from './RenewPasswordStep.tsx'
import { SecondFactorStep } from './SecondFactorStep.tsx'

/** Texts and form of each step that can be pending after the password. */
export const owedSteps = {
  secondFactor: { title: '二次验证', lead: '请使用已绑定的动态口令或通行密钥确认是您本人', Step: SecondFactorStep },
  enrol: { title: '绑定二次验证', lead: '您的账号须绑定二次验证，绑定后方可继续登录', Step: EnrolStep },
  password: { title: '更换密码', lead: '您的密码已过期或为初始密码，请设置新密码后继续', Step: RenewPasswordStep },
}
export type Owed = keyof typeof owedSteps
