import { merchantMode, payProvider } from '@wattdeck/contract/accounting/pay-codes.ts'
import { type Merchant, paySetting } from '@wattdeck/contract/accounting/pay-setting.ts'
import { Form } from 'antd'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { OrganiseField } from '../../../kit/owner-region/OwnerFields.tsx'
import { useUser } from '../../../kit/api/user.ts'
import { SelectField } from '../../../kit/form/fields/SelectField.tsx'
import { TextField } from '../../../kit/form/fields/TextField.tsx'
import { SwitchField } from '../../../kit/form/fields/SwitchField.tsx'

type Props = { row?: Merchant | undefined; onClose: () => void }
const refresh = [paySetting.list]

const initialOf = ({ mode, name, appId, merchantNo, subMerchantNo, rate, isDefault }: Merchant) => ({
  mode,
  name,
  appId,
  merchantNo,
  rate,
  isDefault,
  ...(subMerchantNo === null ? {} : { subMerchantNo }),
})

export function EditDialog({ row, onClose }: Props) {
  const user = useUser()
  const common = { size: 780 as const, columns: 2 as const, refresh, onClose }
  if (row)
    return (
      <FormDialog
        {...common}
        title={`编辑商户：${row.name}`}
        route={paySetting.edit}
        initial={initialOf(row)}
        also={{ id: row.id }}
      >
        <Fields again />
      </FormDialog>
    )
  return (
    <FormDialog
      {...common}
      title="新增商户"
      route={paySetting.add}
      initial={{ organiseId: user?.organiseId, mode: merchantMode.code.direct, rate: '0.6' }}
    >
      <OrganiseField />
      <SelectField name="provider" label="渠道" options={[...payProvider.options]} placeholder="请选择" />
      <Fields />
    </FormDialog>
  )
}

function Fields({ again }: { again?: boolean }) {
  const partner = Form.useWatch<number | undefined>('mode') === merchantMode.code.partner
  return (
    <>
      <TextField name="name" label="名称" help="显示在付款页面上" />
      <SelectField name="mode" label="商户模式" options={[...merchantMode.options]} />
      <TextField name="appId" label="AppID" />
      <TextField
        name="merchantNo"
        label={partner ? '服务商商户号' : '商户号'}
        {...(again ? { help: '变更商户号或AppID后，须重新授权和测试' } : {})}
      />
      {partner && <TextField name="subMerchantNo" label="特约商户号" required />}
      <TextField name="rate" label="费率" help="渠道收取的手续费比例" inputMode="decimal" suffix="%" />
      <SwitchField name="isDefault" label="默认渠道" help="同一渠道有多个商户时，优先由此商户收款" />
    </>
  )
}
