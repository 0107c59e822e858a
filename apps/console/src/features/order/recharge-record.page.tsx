import { rechargeProvider, rechargeStatus } from '@wattdeck/contract/accounting/pay-codes.ts'
import { payOrder } from '@wattdeck/contract/order/pay-order.ts'
import { rechargeList, type RechargeRecord, rechargeRecord } from '@wattdeck/contract/order/recharge-record.ts'
import { rechargeRefund } from '@wattdeck/contract/order/recharge-refund.ts'
import { useState } from 'react'
import { useDayPresets } from '../../kit/list/views/presets.ts'
import { useFieldList } from '../../kit/crud/use-field-list.ts'
import { useReturnFocus } from '../../kit/form/use-return-focus.ts'
import { lazyPart } from '../../kit/routing/lazy-part.tsx'
import { OrderListPage } from './_shared/OrderListPage.tsx'

const AskDialog = lazyPart(
  async () => (await import('../../kit/form/AskRechargeRefundDialog.tsx')).AskRechargeRefundDialog,
)
const PayDrawer = lazyPart(async () => (await import('./pay-order/pay-order.drawer.tsx')).PayDrawer)

const totals = [
  { key: 'count', label: '充值单' },
  { key: 'amount', label: '已支付', unit: '¥' },
  { key: 'gift', label: '赠送', unit: '¥' },
  { key: 'refunded', label: '退款', unit: '¥' },
]

/** Why a recharge cannot be refunded by the way it came; undefined if it can. */
function refundProblem(row: Pick<RechargeRecord, 'provider' | 'status' | 'amount' | 'refunded'>): string | undefined {
  if (row.status !== rechargeStatus.code.paid) return '只有已支付的充值可以退款'
  if (row.provider === rechargeProvider.code.offline) return '线下充值不能原路退回'
  return row.amount === row.refunded ? '没有可退金额' : undefined
}

export default function RechargeRecordPage() {
  const list = useFieldList(rechargeList, { listKey: 'recharge-record', liveKey: 'rechargeRecord' })
  const [open, setOpen] = useState<string>()
  const [asking, setAsking] = useState<string>()
  useReturnFocus(open !== undefined || asking !== undefined)
  return (
    <>
      <OrderListPage
        {...list}
        presets={useDayPresets()}
        totalsRoute={rechargeRecord.totals}
        totalsItems={totals}
        rowActions={({ id, payOrderId, provider, status, amount, refunded }) => [
          {
            label: '支付详情',
            route: payOrder.detail,
            disabled: payOrderId === null ? '没有对应的支付单' : undefined,
            onClick: () => setOpen(payOrderId ?? undefined),
          },
          {
            label: '退款',
            route: rechargeRefund.add,
            disabled: refundProblem({ provider, status, amount, refunded }),
            onClick: () => setAsking(id),
          },
        ]}
      />
      {asking !== undefined && <AskDialog rechargeNo={asking} onClose={() => setAsking(undefined)} />}
      {open !== undefined && <PayDrawer id={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}
