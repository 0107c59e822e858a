import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { staff, type Staff } from '@wattdeck/contract/system/staff.ts'
import { Alert, Input } from 'antd'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'

/** For a person who has lost their second factor and the recovery codes. */
export function FactorResetDialog({ of, onClose }: { of: Staff; onClose: () => void }) {
  return (
    <FormDialog
      title={`申请重置二次验证：${of.name}（${of.loginName}）`}
      route={staff.askFactorReset}
      refresh={[staff.list]}
      toBody={(values) => ({ ...values, id: of.id }) as BodyOf<typeof staff.askFactorReset>}
      okText="提交申请"
      onClose={onClose}
    >
      <Alert
        className="form-alert"
        type="warning"
        showIcon
        title="请先核实对方身份。须由另一位管理员审批，批准后该用户退出登录，下次登录时重新绑定；24小时内申请人和审批人不能重置其密码或换绑手机。"
      />
      <Field name="reason" label="重置原因" help="记入操作日志，请勿填写手机号等个人信息">
        <Input.TextArea rows={2} />
      </Field>
    </FormDialog>
  )
}
