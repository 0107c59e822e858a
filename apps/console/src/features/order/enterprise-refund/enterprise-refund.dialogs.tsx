import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { enterpriseRefund } from '@wattdeck/contract/order/enterprise-refund.ts'
import { Input } from 'antd'
import { ConsequenceNote } from '../../../kit/form/Consequence.tsx'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { PictureField } from '../../../kit/media/PictureField.tsx'
import { enterpriseRefundFacts, type EnterpriseStep } from './enterprise-refund.actions.ts'

const refresh = [enterpriseRefund.list]
type Close = { onClose: () => void }

/** Requests a payment from a company's wallet to its bank account. */
export const AskEnterpriseDialog = ({ onClose }: Close) => (
  <FormDialog
    title="申请企业退款"
    route={enterpriseRefund.add}
    okText="提交审核"
    columns={2}
    size={780}
    refresh={refresh}
    onClose={onClose}
  >
    <Field name="company" label="企业名称">
      <Input autoComplete="off" />
    </Field>
    <Field name="taxpayerNo" label="纳税人识别号">
      <Input autoComplete="off" />
    </Field>
    <Field name="memberId" label="企业账户（会员ID）">
      <Input autoComplete="off" inputMode="numeric" />
    </Field>
    <Field name="amount" label="金额" help="提交后立即冻结，只能退充值余额">
      <Input prefix="¥" inputMode="decimal" autoComplete="off" />
    </Field>
    <Field name="payee" label="收款户名">
      <Input autoComplete="off" />
    </Field>
    <Field name="account" label="收款账号">
      <Input autoComplete="off" inputMode="numeric" />
    </Field>
    <Field name="bank" label="开户行">
      <Input autoComplete="off" />
    </Field>
    <Field name="reason" label="退款原因" wide>
      <Input.TextArea rows={2} maxLength={200} showCount />
    </Field>
  </FormDialog>
)

/** Declines with a reason, or confirms the payment with a voucher. */
export const EnterpriseStepDialog = ({ row, step, onClose }: EnterpriseStep & Close) =>
  step === 'finish' ? (
    <FormDialog
      title="确认已打款并上传回单"
      route={enterpriseRefund.finish}
      okText="确认已打款"
      toBody={(values) => ({ ...values, id: row.id }) as BodyOf<typeof enterpriseRefund.finish>}
      refresh={refresh}
      onClose={onClose}
    >
      <ConsequenceNote facts={enterpriseRefundFacts(row)} effect={`¥${row.amount} 记为已付给该企业，退款完成`} />
      <Field name="pictureId" label="打款回单" choose required>
        <PictureField />
      </Field>
    </FormDialog>
  ) : (
    <FormDialog
      title={step === 'auditFail' ? '审核驳回这笔企业退款' : '审批驳回这笔企业退款'}
      route={enterpriseRefund[step]}
      okText="驳回"
      toBody={(values) => ({ ...values, id: row.id }) as BodyOf<typeof enterpriseRefund.auditFail>}
      refresh={refresh}
      onClose={onClose}
    >
      <ConsequenceNote
        facts={enterpriseRefundFacts(row)}
        effect={`不退款，冻结的 ¥${row.amount} 退回企业钱包`}
        undo="驳回后须重新申请"
      />
      <Field name="reason" label="驳回原因">
        <Input.TextArea rows={2} maxLength={200} showCount />
      </Field>
    </FormDialog>
  )
