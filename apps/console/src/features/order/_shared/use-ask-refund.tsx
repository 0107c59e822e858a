import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import type { OrderRow } from '@wattdeck/contract/order/order-row.ts'
import { refundOrder } from '@wattdeck/contract/order/refund-order.ts'
import { type ReactNode, useState } from 'react'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'

const AskRefundDialog = lazyPart(
  async () => (await import('../refund-order/refund-order.ask-dialog.tsx')).AskRefundDialog,
)

/** The row action and the dialog to request a refund, for every list of orders. */
export function useAskRefund(): { action: (row: OrderRow) => RowAction; dialog: ReactNode } {
  const [orderNo, setOrderNo] = useState<string>()
  useReturnFocus(orderNo !== undefined)
  return {
    action: (row) => ({
      label: '退款',
      route: refundOrder.add,
      disabled: whyNot(row),
      onClick: () => setOrderNo(row.id),
    }),
    dialog: orderNo !== undefined && <AskRefundDialog orderNo={orderNo} onClose={() => setOrderNo(undefined)} />,
  }
}

const fen = (amount: string) => BigInt(amount.replace('.', ''))

function whyNot({ status, total, refunded, refunding }: OrderRow): string | undefined {
  if (status !== orderStatus.code.billed) return '只有已完成的订单可以退款'
  return fen(total) === fen(refunded) + fen(refunding) ? '没有可退金额' : undefined
}
