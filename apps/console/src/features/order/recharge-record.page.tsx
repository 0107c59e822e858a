import { payProvider, rechargeStatus } from '@wattdeck/contract/accounting/pay-codes.ts'
import { rechargeColumns, rechargeRecord, type RechargeRecord } from '@wattdeck/contract/order/recharge-record.ts'
import { payOrder } from '@wattdeck/contract/order/pay-order.ts'
import { rechargeRefund } from '@wattdeck/contract/order/recharge-refund.ts'
import type { UserInfo } from '@wattdeck/contract/session/session.ts'
import { useState } from 'react'
import * as cells from '../../kit/display/cells.tsx'
import type { Column } from '../../kit/list/columns.ts'
import { later } from '../../kit/routing/later.tsx'
import { ownerColumns } from '../../kit/owner-region/owner-columns.tsx'
import { useReturnFocus } from '../../kit/form/use-return-focus.ts'
import { useUser } from '../../kit/api/user.ts'
import * as shown from './_shared/order-cells.tsx'
import { OrderListPage } from './_shared/OrderListPage.tsx'

const AskDialog = later(
  async () => (await import('./recharge-refund/recharge-refund.ask-dialog.tsx')).AskRechargeRefundDialog,
)
const PayDrawer = later(async () => (await import('./pay-order/pay-order.drawer.tsx')).PayDrawer)

type Key = keyof typeof rechargeColumns
const column = (
  key: Key,
  width: number,
  render: (row: RechargeRecord) => React.ReactNode,
  more: Partial<Column<RechargeRecord>> = {},
) => ({ key, title: rechargeColumns[key], width, render, ...more }) as Column<RechargeRecord>
const end = { align: 'end' } as const
const perhaps = (amount: string | null) => (amount === null ? cells.dash : shown.yuan(amount))

const columns = (user: UserInfo | undefined): Column<RechargeRecord>[] => [
  column('id', 190, (row) => row.id, { fixed: 'start' }),
  column('status', 90, (row) => cells.status(rechargeStatus, row.status), { card: 'tag' }),
  column('memberName', 110, (row) => cells.text(row.memberName)),
  column('memberPhone', 130, (row) => cells.text(row.memberPhone)),
  column('amount', 100, (row) => shown.yuan(row.amount), end),
  column('gift', 90, (row) => shown.yuan(row.gift), end),
  column('credited', 100, (row) => shown.yuan(row.credited), end),
  column('provider', 90, (row) => cells.label(payProvider, row.provider)),
  column('before', 110, (row) => perhaps(row.before), end),
  column('after', 110, (row) => perhaps(row.after), end),
  column('refunded', 90, (row) => shown.yuan(row.refunded), end),
  column('transactionId', 250, (row) => cells.text(row.transactionId)),
  column('createdAt', 170, (row) => cells.time(row.createdAt)),
  column('paidAt', 170, (row) => cells.time(row.paidAt)),
  ...(ownerColumns(user) as Column<RechargeRecord>[]),
]

const totals = [
  { key: 'count', label: '充值单' },
  { key: 'amount', label: '已支付', unit: '¥' },
  { key: 'gift', label: '赠送', unit: '¥' },
  { key: 'refunded', label: '退款', unit: '¥' },
]

export default function RechargeRecordPage() {
  const user = useUser()
  const [open, setOpen] = useState<string>()
  const [asking, setAsking] = useState<string>()
  useReturnFocus(open !== undefined || asking !== undefined)
  return (
    <>
      <OrderListPage
        title="充值记录"
        listKey="recharge-record"
        liveKey="rechargeRecord"
        route={rechargeRecord.list}
        totalsRoute={rechargeRecord.totals}
        totalsItems={totals}
        columns={columns(user)}
        filters={[
          { kind: 'text', name: 'rechargeNo', label: '充值单号' },
          { kind: 'text', name: 'phone', label: '用户手机号' },
          { kind: 'select', name: 'status', label: '状态', options: rechargeStatus.options },
          { kind: 'select', name: 'provider', label: '支付方式', options: payProvider.options },
          { kind: 'dates', from: 'from', to: 'to', label: '下单时间' },
          { kind: 'owner' },
        ]}
        exporting={{ route: rechargeRecord.exportList, keys: Object.keys(rechargeColumns) }}
        rowActions={({ id, payOrderId, status, amount, refunded }) => [
          {
            label: '支付详情',
            route: payOrder.detail,
            disabled: payOrderId === null ? '没有对应的支付单' : undefined,
            onClick: () => setOpen(payOrderId ?? undefined),
          },
          {
            label: '退款',
            route: rechargeRefund.add,
            disabled:
              status !== rechargeStatus.code.paid
                ? '只有已支付的充值可以退款'
                : amount === refunded
                  ? '没有可退金额'
                  : undefined,
            onClick: () => setAsking(id),
          },
        ]}
      />
      {asking !== undefined && <AskDialog rechargeNo={asking} onClose={() => setAsking(undefined)} />}
      {open !== undefined && <PayDrawer id={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}
