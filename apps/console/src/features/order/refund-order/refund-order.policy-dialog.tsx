import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { refundOrder, type RefundPolicy } from '@wattdeck/contract/order/refund-order.ts'
import { Alert, Form, Input, Modal, Switch } from 'antd'
import { useState } from 'react'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { OwnerSelect } from '../../../kit/owner-region/OwnerSelect.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import * as shown from '../_shared/order-cells.tsx'
import '../_shared/order.css'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'

type Props = { platform: boolean; onClose: () => void }

/** The rule for automatic approval of small refunds of suspect orders. Platform users first select its owner. */
export function PolicyDialog({ platform, onClose }: Props) {
  const [organiseId, setOrganiseId] = useState<string>()
  const hasOwner = !platform || organiseId !== undefined
  const policy = useDetail(refundOrder.policy, {
    query: organiseId === undefined ? {} : { organiseId },
    enabled: hasOwner,
  })
  if (hasOwner && policy.data !== undefined)
    return <PolicyForm key={organiseId} organiseId={organiseId} policy={policy.data} onClose={onClose} />
  return (
    <Modal open width={dialogWidth.s} title="自动退款规则" footer={null} onCancel={onClose}>
      {platform && (
        <Form.Item label="机构" layout="vertical">
          <OwnerSelect level="organise" value={organiseId} onChange={setOrganiseId} />
        </Form.Item>
      )}
      {hasOwner && (
        <States query={policy} rows={3}>
          {() => null}
        </States>
      )}
    </Modal>
  )
}

type FormProps = { organiseId: string | undefined; policy: RefundPolicy; onClose: () => void }
const PolicyForm = ({ organiseId, policy, onClose }: FormProps) => (
  <FormDialog
    title="自动退款规则"
    route={refundOrder.savePolicy}
    initial={{ enabled: policy.enabled, max: policy.max ?? '5.00', day: policy.day ?? '100.00' }}
    toBody={(values) =>
      ({ ...values, ...(organiseId === undefined ? {} : { organiseId }) }) as BodyOf<typeof refundOrder.savePolicy>
    }
    refresh={[refundOrder.policy]}
    onClose={onClose}
  >
    <Alert
      className="order-note"
      type="info"
      showIcon
      title="故障结束、充电不足3分钟或没有电量的订单，在限额内自动同意退款；超出限额或预算的仍由他人审批。规则设置人自己提交的退款不适用"
    />
    <Field name="enabled" label="启用" choose valuePropName="checked">
      <Switch />
    </Field>
    <Field name="max" label="单笔上限">
      <Input prefix="¥" inputMode="decimal" autoComplete="off" />
    </Field>
    <Field name="day" label="当日预算" help={`今日已用 ${shown.yuan(policy.spent)}`}>
      <Input prefix="¥" inputMode="decimal" autoComplete="off" />
    </Field>
  </FormDialog>
)
