import { rechargeRefund, rechargeRefundList } from '@wattdeck/contract/order/recharge-refund.ts'
import { useState } from 'react'
import { MainButton } from '../../../kit/crud/MainButton.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { OrderListPage } from '../_shared/OrderListPage.tsx'
import { type Declining, useRechargeRefundActions } from './recharge-refund.actions.ts'
import { nextHandColumn, rechargeRefundColumns } from './recharge-refund.columns.tsx'

const AskDialog = lazyPart(
  async () => (await import('../../../kit/form/AskRechargeRefundDialog.tsx')).AskRechargeRefundDialog,
)
const DeclineDialog = lazyPart(async () => (await import('./recharge-refund.decline-dialog.tsx')).DeclineRechargeDialog)

const totals = [
  { key: 'count', label: '退款单' },
  { key: 'waiting', label: '审核审批中（申请金额）', unit: '¥' },
  { key: 'refunding', label: '退款中', unit: '¥' },
  { key: 'refunded', label: '实退', unit: '¥' },
  { key: 'gift', label: '扣回赠送', unit: '¥' },
]

export default function RechargeRefundPage() {
  const list = useFieldList(rechargeRefundList, {
    listKey: 'recharge-refund',
    liveKey: 'rechargeRefund',
    columns: rechargeRefundColumns,
  })
  const [asking, setAsking] = useState(false)
  const [declining, setDeclining] = useState<Declining>()
  useReturnFocus(asking || declining !== undefined)
  const rowActions = useRechargeRefundActions(setDeclining)
  return (
    <>
      <OrderListPage
        note="申请、审核、审批须由三名不同人员完成。申请后金额冻结，审批后原路退回；赠送按比例收回"
        actions={<MainButton route={rechargeRefund.add} label="申请退款" onClick={() => setAsking(true)} />}
        {...list}
        columns={list.columns.toSpliced(2, 0, nextHandColumn)}
        totalsRoute={rechargeRefund.totals}
        totalsItems={totals}
        totalsDays="申请时间"
        rowActions={rowActions}
      />
      {asking && <AskDialog onClose={() => setAsking(false)} />}
      {declining && <DeclineDialog {...declining} onClose={() => setDeclining(undefined)} />}
    </>
  )
}
