import { refundKind, refundStatus, refundWay } from '@wattdeck/contract/order/refund-codes.ts'
import { refundColumns, type RefundOrder } from '@wattdeck/contract/order/refund-order.ts'
import type { UserInfo } from '@wattdeck/contract/session/session.ts'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { ownerColumns } from '../../../kit/owner-region/owner-columns.tsx'
import * as shown from '../_shared/order-cells.tsx'

type Row = RefundOrder
const column = (
  key: keyof typeof refundColumns,
  width: number,
  render: Column<Row>['render'],
  more: Partial<Column<Row>> = {},
): Column<Row> => ({ key, title: refundColumns[key], width, render, ...more })
const end = { align: 'end' } as const
const hidden = { hidden: true } as const

export const refundTableColumns = (user: UserInfo | undefined): Column<Row>[] => [
  column('id', 200, (row) => <CopyId value={row.id} what="退款单号" />, { fixed: 'start' }),
  column('status', 120, (row) => cells.status(refundStatus, row.status), { card: 'tag' }),
  column('amount', 100, (row) => <strong>{shown.yuan(row.amount)}</strong>, end),
  column('memberName', 190, shown.member),
  column('reason', 200, (row) => row.reason),
  column('total', 90, (row) => shown.yuan(row.total), end),
  column('orderNo', 190, (row) => shown.orderNo(row.orderNo)),
  column('paid', 90, (row) => shown.yuan(row.paid), { ...end, ...hidden }),
  column('gift', 90, (row) => shown.yuan(row.gift), { ...end, ...hidden }),
  column('kind', 110, (row) => cells.status(refundKind, row.kind)),
  column('way', 100, (row) => cells.label(refundWay, row.way)),
  column('words', 220, (row) => cells.text(row.words)),
  column('createdBy', 100, (row) => row.createdBy),
  column('createdAt', 170, (row) => cells.time(row.createdAt)),
  column('decidedBy', 120, (row) => cells.text(row.decidedBy)),
  column('decidedAt', 170, (row) => cells.time(row.decidedAt), hidden),
  column('decision', 180, (row) => cells.text(row.decision)),
  column('arrivedAt', 170, (row) => cells.time(row.arrivedAt)),
  ...ownerColumns(user),
  column('providerNo', 240, (row) => cells.text(row.providerNo), hidden),
  column('trace', 320, (row) => cells.text(row.trace), hidden),
]
