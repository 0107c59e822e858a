import { rechargeRefund } from '@wattdeck/contract/order/recharge-refund.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { Input } from 'antd'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'

type Props = { id: string; step: 'auditFail' | 'approvalFail'; onClose: () => void }

/** Declined with a reason: what was put aside goes back into the wallet. */
export const DeclineRechargeDialog = ({ id, step, onClose }: Props) => (
  <FormDialog
    title={`${step === 'auditFail' ? '审核不通过' : '审批不通过'}：${id}`}
    route={rechargeRefund[step]}
    okText="确定"
    toBody={(values) => ({ ...values, id }) as BodyOf<typeof rechargeRefund.auditFail>}
    refresh={[rechargeRefund.list]}
    onClose={onClose}
  >
    <Field name="reason" label="原因" help="冻结的金额将退回用户钱包">
      <Input.TextArea rows={2} maxLength={200} showCount />
    </Field>
  </FormDialog>
)
