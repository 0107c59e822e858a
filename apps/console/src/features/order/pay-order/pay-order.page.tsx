import { payProvider, payPurpose, payStatus } from '@wattdeck/contract/accounting/pay-codes.ts'
import { payOrder, type PayOrder, payOrderColumns } from '@wattdeck/contract/order/pay-order.ts'
import { rechargeRefund } from '@wattdeck/contract/order/recharge-refund.ts'
import type { UserInfo } from '@wattdeck/contract/session/session.ts'
import { Tag } from 'antd'
import { useState } from 'react'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { later } from '../../../kit/routing/later.tsx'
import { ownerColumns } from '../../../kit/owner-region/owner-columns.tsx'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { useUser } from '../../../kit/api/user.ts'
import * as shown from '../_shared/order-cells.tsx'
import { OrderListPage } from '../_shared/OrderListPage.tsx'

const AskDialog = later(
  async () => (await import('../recharge-refund/recharge-refund.ask-dialog.tsx')).AskRechargeRefundDialog,
)
const PayDrawer = later(async () => (await import('./pay-order.drawer.tsx')).PayDrawer)

type Key = keyof typeof payOrderColumns
const column = (
  key: Key,
  width: number,
  render: (row: PayOrder) => React.ReactNode,
  more: Partial<Column<PayOrder>> = {},
) => ({ key, title: payOrderColumns[key], width, render, ...more }) as Column<PayOrder>
const end = { align: 'end' } as const

const columns = (user: UserInfo | undefined): Column<PayOrder>[] => [
  column('payNo', 200, (row) => row.payNo, { fixed: 'start' }),
  column(
    'status',
    150,
    (row) => (
      <>
        {cells.status(payStatus, row.status)} {row.late && <Tag>逾期退回</Tag>}
      </>
    ),
    { card: 'tag' },
  ),
  column('purpose', 100, (row) => cells.label(payPurpose, row.purpose)),
  column('provider', 90, (row) => cells.label(payProvider, row.provider)),
  column('amount', 100, (row) => shown.yuan(row.amount), end),
  column('fee', 80, (row) => shown.yuan(row.fee), end),
  column('refunded', 90, (row) => shown.yuan(row.refunded), end),
  column('member', 190, shown.member),
  column('refNo', 190, (row) => cells.text(row.refNo)),
  column('transactionId', 250, (row) => cells.text(row.transactionId)),
  column('createdAt', 170, (row) => cells.time(row.createdAt)),
  column('paidAt', 170, (row) => cells.time(row.paidAt)),
  column('profitSharing', 70, (row) => (row.profitSharing ? '是' : '否')),
  ...(ownerColumns(user) as Column<PayOrder>[]),
  column('closedAt', 170, (row) => cells.time(row.closedAt), { hidden: true }),
]

const totals = [
  { key: 'count', label: '支付单' },
  { key: 'paid', label: '已支付', unit: '¥' },
  { key: 'fee', label: '手续费', unit: '¥' },
  { key: 'refunded', label: '退款', unit: '¥' },
]

/** A payment goes back by what it was for; nothing but a recharge is paid through a provider today. */
function whyNoRefund({ status, purpose, late, amount, refunded }: PayOrder): string | undefined {
  if (status !== payStatus.code.paid) return '只有已支付的支付单可以退款'
  if (purpose !== payPurpose.code.recharge) return '一分钱测试已自动退回'
  if (late) return '逾期支付已自动退回'
  return amount === refunded ? '没有可退金额' : undefined
}

export default function PayOrderPage() {
  const user = useUser()
  const [open, setOpen] = useState<string>()
  const [asking, setAsking] = useState<string>()
  useReturnFocus(open !== undefined || asking !== undefined)
  const sync = useSubmit(payOrder.sync, { refresh: [payOrder.list] })
  return (
    <>
      <OrderListPage
        title="支付订单"
        listKey="pay-order"
        liveKey="payOrder"
        route={payOrder.list}
        totalsRoute={payOrder.totals}
        totalsItems={totals}
        columns={columns(user)}
        filters={[
          { kind: 'text', name: 'payNo', label: '支付单号/订单号/渠道流水号' },
          { kind: 'select', name: 'status', label: '支付状态', options: payStatus.options },
          { kind: 'select', name: 'provider', label: '支付方式', options: payProvider.options },
          { kind: 'select', name: 'purpose', label: '业务类型', options: payPurpose.options },
          { kind: 'dates', from: 'from', to: 'to', label: '下单时间' },
          { kind: 'owner' },
        ]}
        exporting={{ route: payOrder.exportList, keys: Object.keys(payOrderColumns) }}
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
