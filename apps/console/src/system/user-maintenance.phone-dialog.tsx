import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { type Account, userMaintenance } from '@wattdeck/contract/system/user-maintenance.ts'
import { Alert, Input } from 'antd'
import { Field } from '../kit/Field.tsx'
import { FormDialog } from '../kit/FormDialog.tsx'

type Props = { of: Account; onClose: () => void }

/** For somebody who no longer has the old phone; whoever has it can do this in the personal centre. */
export function AccountPhoneDialog({ of, onClose }: Props) {
  return (
    <FormDialog
      title={`换绑手机：${of.name}（${of.loginName}）`}
      route={userMaintenance.changePhone}
      refresh={[userMaintenance.list]}
      toBody={(values) => ({ ...values, id: of.id }) as BodyOf<typeof userMaintenance.changePhone>}
      okText="换绑"
      onClose={onClose}
    >
      <Alert
        className="form-alert"
        type="warning"
        showIcon
        title="请先核实对方身份。换绑后该用户立即退出登录，短信登录和找回密码改用新手机号。"
      />
      <Field name="phone" label="新手机号" help={`当前手机号 ${of.phone}`}>
        <Input autoComplete="off" inputMode="tel" />
      </Field>
      <Field name="reason" label="换绑原因" help="记入操作日志，请勿填写手机号等个人信息">
        <Input.TextArea rows={2} />
      </Field>
    </FormDialog>
  )
}
