import { staff, type Staff } from '@wattdeck/contract/system/staff.ts'
import { Alert } from 'antd'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { LinesField } from '../../../kit/form/fields/TextField.tsx'

/** For a user who has lost the second factor and the recovery codes. */
export function FactorResetDialog({ of, onClose }: { of: Staff; onClose: () => void }) {
  return (
    <FormDialog
      title={`申请重置二次验证：${of.name}（${of.loginName}）`}
      route={staff.askFactorReset}
      refresh={[staff.list]}
      also={{ id: of.id }}
      okText="提交申请"
      onClose={onClose}
    >
      <Alert
        className="form-alert"
        type="warning"
        showIcon
        title="请先核实对方身份。须由另一位管理员审批，通过后该用户退出登录，下次登录时重新绑定；24小时内申请人和审批人不能重置其密码或换绑手机。"
      />
      <LinesField name="reason" label="重置原因" help="记入操作日志，请勿填写手机号等个人信息" rows={2} />
    </FormDialog>
  )
}
