import type { RefundOrder } from '@wattdeck/contract/order/refund-order.ts'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import * as shown from '../_shared/order-cells.tsx'

export const refundColumns: ColumnChanges<RefundOrder> = {
  amount: { render: (row) => <strong>{shown.yuan(row.amount)}</strong> },
  memberName: { render: shown.payer },
  memberPhone: false,
}
