import { refundKind, refundStatus, refundWay } from '@wattdeck/contract/order/refund-codes.ts'
import { refundColumns, refundOrder, type RefundOrder } from '@wattdeck/contract/order/refund-order.ts'
import { listExport } from '../../../kit/bulk/exports.ts'
import type { Cell } from '../../../kit/bulk/sheets/cell.ts'
import { listRefunds } from './refund-order.store.ts'

type Key = keyof typeof refundColumns

/** Columns that a file does not hold as the row has them. */
const worded: Partial<Record<Key, (row: RefundOrder) => Cell>> = {
  status: (row) => refundStatus.show(row.status).label,
  kind: (row) => refundKind.show(row.kind).label,
  way: (row) => refundWay.show(row.way).label,
  total: (row) => ({ decimal: row.total }),
  amount: (row) => ({ decimal: row.amount }),
  paid: (row) => ({ decimal: row.paid }),
  gift: (row) => ({ decimal: row.gift }),
}
const plain = (key: Key) => (row: RefundOrder) => row[key] as Cell

export const refundOrderExport = listExport({
  list: 'refundOrder',
  title: '退款订单',
  module: '退款订单',
  route: refundOrder.list,
  read: (db, scope, filter) => listRefunds(db, scope, filter),
  columns: Object.fromEntries(
    Object.entries(refundColumns).map(([key, title]) => [key, { title, of: worded[key as Key] ?? plain(key as Key) }]),
  ),
})
