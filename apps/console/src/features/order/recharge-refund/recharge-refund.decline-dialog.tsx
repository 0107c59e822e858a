import { rechargeRefund } from '@wattdeck/contract/order/recharge-refund.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { Input } from 'antd'
import { ConsequenceNote } from '../../../kit/form/Consequence.tsx'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { type Declining, rechargeRefundFacts } from './recharge-refund.actions.ts'

type Props = Declining & { onClose: () => void }

/** Declines with a reason; the reserved money returns to the wallet. */
export const DeclineRechargeDialog = ({ row, step, onClose }: Props) => (
  <FormDialog
    title={step === 'auditFail' ? '审核驳回这笔充值退款' : '审批驳回这笔充值退款'}
    route={rechargeRefund[step]}
    okText="驳回"
    toBody={(values) => ({ ...values, id: row.id }) as BodyOf<typeof rechargeRefund.auditFail>}
    refresh={[rechargeRefund.list]}
    onClose={onClose}
  >
    <ConsequenceNote
      facts={rechargeRefundFacts(row)}
      effect={`不退款，冻结的 ¥${row.amount} 退回用户钱包`}
      undo="驳回后须重新申请"
    />
    <Field name="reason" label="驳回原因">
      <Input.TextArea rows={2} maxLength={200} showCount />
    </Field>
  </FormDialog>
)
