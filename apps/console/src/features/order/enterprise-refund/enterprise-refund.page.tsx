import { enterpriseRefund, enterpriseRefundList } from '@wattdeck/contract/order/enterprise-refund.ts'
import { useState } from 'react'
import { MainButton } from '../../../kit/crud/MainButton.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { OrderListPage } from '../_shared/OrderListPage.tsx'
import { type EnterpriseStep, useEnterpriseActions } from './enterprise-refund.actions.ts'
import { enterpriseRefundColumns, voucherColumn } from './enterprise-refund.columns.tsx'

const AskDialog = lazyPart(async () => (await import('./enterprise-refund.dialogs.tsx')).AskEnterpriseDialog)
const StepDialog = lazyPart(async () => (await import('./enterprise-refund.dialogs.tsx')).EnterpriseStepDialog)

const totals = [
  { key: 'count', label: '退款单' },
  { key: 'waiting', label: '审核审批中', unit: '¥' },
  { key: 'refunding', label: '待打款', unit: '¥' },
  { key: 'refunded', label: '已打款', unit: '¥' },
]

export default function EnterpriseRefundPage() {
  const list = useFieldList(enterpriseRefundList, {
    listKey: 'enterprise-refund',
    liveKey: 'enterpriseRefund',
    columns: enterpriseRefundColumns,
  })
  const [asking, setAsking] = useState(false)
  const [step, setStep] = useState<EnterpriseStep>()
  useReturnFocus(asking || step !== undefined)
  const rowActions = useEnterpriseActions(setStep)
  return (
    <>
      <OrderListPage
        note="申请、审核、审批须由三名不同人员完成。审批后人工打款到对公账户，上传回单后完成"
        actions={<MainButton route={enterpriseRefund.add} label="申请退款" onClick={() => setAsking(true)} />}
        {...list}
        columns={list.columns.toSpliced(6, 0, voucherColumn)}
        nameOf={(row) => row.company}
        totalsRoute={enterpriseRefund.totals}
        totalsItems={totals}
        totalsDays="申请时间"
        rowActions={rowActions}
      />
      {asking && <AskDialog onClose={() => setAsking(false)} />}
      {step && <StepDialog {...step} onClose={() => setStep(undefined)} />}
    </>
  )
}
