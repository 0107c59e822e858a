import { TextField } from '../../../kit/form/fields/TextField.tsx'

/** The account that is created together with an organisation or an operator (`adminFields` of the contract). */
export const AdminFields = () => (
  <>
    <TextField name="adminName" label="管理员姓名" />
    <TextField name="adminPhone" label="管理员手机号" help="用于登录和找回密码" inputMode="tel" />
    <TextField name="adminLoginName" label="登录账号" help="字母开头，4-30位字母、数字或下划线" />
  </>
)
