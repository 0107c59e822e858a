import type { RechargeRefund } from '@wattdeck/contract/order/recharge-refund.ts'
import { refundStep } from '@wattdeck/contract/order/refund-codes.ts'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import * as shown from '../_shared/order-cells.tsx'

type Row = RechargeRefund

/** The role that must act next, as text. */
function nextHand({ status, stuck }: Row): string | null {
  const { auditing, approving, refunding } = refundStep.code
  if (status === auditing) return '审核人'
  if (status === approving) return '审批人'
  if (status !== refunding) return null
  return stuck ? '审批人（渠道未退成）' : '支付渠道'
}

export const nextHandColumn: Column<Row> = {
  key: 'nextHand',
  title: '当前处理',
  width: 150,
  render: (row) => cells.text(nextHand(row)),
}

export const rechargeRefundColumns: ColumnChanges<Row> = {
  payout: { render: (row) => <strong>{shown.yuan(row.payout)}</strong> },
  memberName: { render: shown.payer },
  memberPhone: false,
}
