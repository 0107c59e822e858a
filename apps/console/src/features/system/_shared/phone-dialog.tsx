import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import type { staff } from '@wattdeck/contract/system/staff.ts'
import { Alert } from 'antd'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { TextField, LinesField } from '../../../kit/form/fields/TextField.tsx'

/** Of staff or of other accounts: both routes have the same fields. */
type Change = typeof staff.changePhone
type Person = { id: string; name: string; loginName: string; phone: string }
type Props = { of: Person; route: Change; refresh: readonly AnyRoute[]; onClose: () => void }

/** For users without the old phone; others change it in the personal centre. */
export function PhoneDialog({ of, route, refresh, onClose }: Props) {
  return (
    <FormDialog
      title={`换绑手机：${of.name}（${of.loginName}）`}
      route={route}
      refresh={refresh}
      also={{ id: of.id }}
      okText="换绑"
      onClose={onClose}
    >
      <Alert
        className="form-alert"
        type="warning"
        showIcon
        title="请先核实对方身份。换绑后该用户立即退出登录，新旧手机号都会收到短信，24小时内您与其不能互相审批。"
      />
      <TextField name="phone" label="新手机号" help={`当前手机号 ${of.phone}`} inputMode="tel" />
      <LinesField name="reason" label="换绑原因" help="记入操作日志，请勿填写手机号等个人信息" rows={2} />
    </FormDialog>
  )
}
