import { payPurpose, payStatus } from '@wattdeck/contract/accounting/pay-codes.ts'
import { payList, payOrder, type PayOrder } from '@wattdeck/contract/order/pay-order.ts'
import { rechargeRefund } from '@wattdeck/contract/order/recharge-refund.ts'
import { Tag } from 'antd'
import { useState } from 'react'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import { useDayPresets } from '../../../kit/list/views/presets.ts'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import * as cells from '../../../kit/display/cells.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { useShownId } from '../../../kit/routing/use-shown-id.ts'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { OrderListPage } from '../_shared/OrderListPage.tsx'

const AskDialog = lazyPart(
  async () => (await import('../../../kit/form/AskRechargeRefundDialog.tsx')).AskRechargeRefundDialog,
)
const PayDrawer = lazyPart(async () => (await import('./pay-order.drawer.tsx')).PayDrawer)

const columns: ColumnChanges<PayOrder> = {
  status: {
    render: (row) => (
      <>
        {cells.status(payStatus, row.status)} {row.late && <Tag>逾期退回</Tag>}
      </>
    ),
  },
}

const totals = [
  { key: 'count', label: '支付单' },
  { key: 'paid', label: '已支付', unit: '¥' },
  { key: 'fee', label: '手续费', unit: '¥' },
  { key: 'refunded', label: '退款', unit: '¥' },
]

/** The refund depends on the purpose of the payment. */
function whyNoRefund({ status, purpose, late, amount, refunded }: PayOrder): string | undefined {
  if (status !== payStatus.code.paid) return '只有已支付的支付单可以退款'
  if (purpose === payPurpose.code.card) return '购卡不能在此退款'
  if (purpose !== payPurpose.code.recharge) return '一分钱测试已自动退回'
  if (late) return '逾期支付已自动退回'
  return amount === refunded ? '没有可退金额' : undefined
}

export default function PayOrderPage() {
  const list = useFieldList(payList, { listKey: 'pay-order', liveKey: 'payOrder', columns })
  const [open, setOpen] = useShownId('pay')
  const [asking, setAsking] = useState<string>()
  useReturnFocus(open !== undefined || asking !== undefined)
  const sync = useSubmit(payOrder.sync, { refresh: [payOrder.list] })
  return (
    <>
      <OrderListPage
        {...list}
        presets={useDayPresets()}
        totalsRoute={payOrder.totals}
        totalsItems={totals}
        rowActions={(row) => [
          { label: '详情', onClick: () => setOpen(row.id) },
          { label: '查单同步', route: payOrder.sync, onClick: () => void sync.run({ body: { id: row.id } }) },
          {
            label: '退款',
            route: rechargeRefund.add,
            disabled: whyNoRefund(row),
            onClick: () => setAsking(row.refNo ?? undefined),
          },
        ]}
      />
      {asking !== undefined && <AskDialog rechargeNo={asking} onClose={() => setAsking(undefined)} />}
      {open !== undefined && <PayDrawer id={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}
