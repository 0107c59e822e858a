import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { enterpriseRefund } from '@wattdeck/contract/order/enterprise-refund.ts'
import { Input } from 'antd'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { PictureField } from '../../../kit/media/PictureField.tsx'

const refresh = [enterpriseRefund.list]
type Close = { onClose: () => void }

/** Asks for money of a company's wallet to be paid to its bank account. */
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

export type EnterpriseStep = { id: string; step: 'auditFail' | 'approvalFail' | 'finish' }

/** Declined with a reason, or paid with a voucher. */
export const EnterpriseStepDialog = ({ id, step, onClose }: EnterpriseStep & Close) =>
  step === 'finish' ? (
    <FormDialog
      title={`上传回单：${id}`}
      route={enterpriseRefund.finish}
      okText="确认已打款"
      toBody={(values) => ({ ...values, id }) as BodyOf<typeof enterpriseRefund.finish>}
      refresh={refresh}
      onClose={onClose}
    >
      <Field name="pictureId" label="打款回单" choose required>
        <PictureField />
      </Field>
    </FormDialog>
  ) : (
    <FormDialog
      title={`${step === 'auditFail' ? '审核不通过' : '审批不通过'}：${id}`}
      route={enterpriseRefund[step]}
      okText="确定"
      toBody={(values) => ({ ...values, id }) as BodyOf<typeof enterpriseRefund.auditFail>}
      refresh={refresh}
      onClose={onClose}
    >
      <Field name="reason" label="原因" help="冻结的金额将退回企业钱包">
        <Input.TextArea rows={2} maxLength={200} showCount />
      </Field>
    </FormDialog>
  )
