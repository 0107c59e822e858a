import { PlusOutlined } from '@ant-design/icons'
import { enterpriseRefund, enterpriseRefundColumns } from '@wattdeck/contract/order/enterprise-refund.ts'
import { refundStep } from '@wattdeck/contract/order/refund-codes.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { Can } from '../../../kit/api/Can.tsx'
import { later } from '../../../kit/routing/later.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { useUser } from '../../../kit/api/user.ts'
import { useEnterpriseActions } from './enterprise-refund.actions.ts'
import { enterpriseRefundTable } from './enterprise-refund.columns.tsx'
import type { EnterpriseStep } from './enterprise-refund.dialogs.tsx'

const AskDialog = later(async () => (await import('./enterprise-refund.dialogs.tsx')).AskEnterpriseDialog)
const StepDialog = later(async () => (await import('./enterprise-refund.dialogs.tsx')).EnterpriseStepDialog)

export default function EnterpriseRefundPage() {
  const user = useUser()
  const [asking, setAsking] = useState(false)
  const [step, setStep] = useState<EnterpriseStep>()
  useReturnFocus(asking || step !== undefined)
  const rowActions = useEnterpriseActions(setStep)
  return (
    <>
      <ListPage
        title="企业退款"
        note="须由三人完成：申请、审核、审批。审批后人工打款到对公账户，上传回单后完成"
        actions={
          <Can route={enterpriseRefund.add}>
            <Button type="primary" icon={<PlusOutlined />} data-shortcut="n" onClick={() => setAsking(true)}>
              申请退款
            </Button>
          </Can>
        }
        listKey="enterprise-refund"
        liveKey="enterpriseRefund"
        route={enterpriseRefund.list}
        columns={enterpriseRefundTable(user)}
        nameOf={(row) => row.company}
        filters={[
          { kind: 'text', name: 'company', label: '企业' },
          { kind: 'text', name: 'refundNo', label: '退款单号' },
          { kind: 'select', name: 'status', label: '状态', options: refundStep.options },
          { kind: 'dates', from: 'from', to: 'to', label: '申请时间' },
          { kind: 'owner' },
        ]}
        exporting={{ route: enterpriseRefund.exportList, keys: Object.keys(enterpriseRefundColumns) }}
        rowActions={rowActions}
      />
      {asking && <AskDialog onClose={() => setAsking(false)} />}
      {step && <StepDialog {...step} onClose={() => setStep(undefined)} />}
    </>
  )
}
