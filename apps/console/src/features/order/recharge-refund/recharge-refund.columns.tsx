import { payProvider } from '@wattdeck/contract/accounting/pay-codes.ts'
import { type RechargeRefund, rechargeRefundColumns } from '@wattdeck/contract/order/recharge-refund.ts'
import { refundStep } from '@wattdeck/contract/order/refund-codes.ts'
import type { UserInfo } from '@wattdeck/contract/session/session.ts'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { ownerColumns } from '../../../kit/owner-region/owner-columns.tsx'
import * as shown from '../_shared/order-cells.tsx'

type Row = RechargeRefund
const column = (
  key: keyof typeof rechargeRefundColumns,
  width: number,
  render: Column<Row>['render'],
  more: Partial<Column<Row>> = {},
): Column<Row> => ({ key, title: rechargeRefundColumns[key], width, render, ...more })
const end = { align: 'end' } as const
const hidden = { hidden: true } as const

/** Who has to do something next, in words. */
function nextHand({ status, stuck }: Row): string | null {
  const { auditing, approving, refunding } = refundStep.code
  if (status === auditing) return '审核人'
  if (status === approving) return '审批人'
  if (status !== refunding) return null
  return stuck ? '审批人（渠道未退成）' : '支付渠道'
}

export const rechargeRefundTable = (user: UserInfo | undefined): Column<Row>[] => [
  column('id', 200, (row) => <CopyId value={row.id} what="退款单号" />, { fixed: 'start' }),
  column('status', 110, (row) => cells.status(refundStep, row.status), { card: 'tag' }),
  { key: 'nextHand', title: '当前处理', width: 150, render: (row) => cells.text(nextHand(row)) },
  column('payout', 100, (row) => <strong>{shown.yuan(row.payout)}</strong>, end),
  column('memberName', 190, shown.member),
  column('recharged', 100, (row) => shown.yuan(row.recharged), end),
  column('amount', 100, (row) => shown.yuan(row.amount), end),
  column('gift', 90, (row) => shown.yuan(row.gift), end),
  column('giftSpent', 110, (row) => shown.yuan(row.giftSpent), end),
  column('provider', 90, (row) => cells.label(payProvider, row.provider)),
  column('reason', 180, (row) => row.reason),
  column('words', 220, (row) => cells.text(row.words)),
  column('createdBy', 100, (row) => row.createdBy),
  column('createdAt', 170, (row) => cells.time(row.createdAt)),
  column('auditedBy', 100, (row) => cells.text(row.auditedBy)),
  column('approvedBy', 100, (row) => cells.text(row.approvedBy)),
  column('decision', 180, (row) => cells.text(row.decision)),
  column('finishedAt', 170, (row) => cells.time(row.finishedAt)),
  column('rechargeNo', 200, (row) => <CopyId value={row.rechargeNo} what="充值单号" />),
  ...ownerColumns(user),
  column('auditedAt', 170, (row) => cells.time(row.auditedAt), hidden),
  column('approvedAt', 170, (row) => cells.time(row.approvedAt), hidden),
]
