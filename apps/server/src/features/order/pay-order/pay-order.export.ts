import { payProvider, payPurpose, payStatus } from '@wattdeck/contract/accounting/pay-codes.ts'
import { payOrder, type PayOrder, payOrderColumns } from '@wattdeck/contract/order/pay-order.ts'
import { listExport } from '../../../kit/bulk/exports.ts'
import type { Cell } from '../../../kit/bulk/sheets/cell.ts'
import { listPayOrders } from './pay-order.store.ts'

type Key = keyof typeof payOrderColumns

/** Columns that a file does not hold as the row has them. */
const worded: Partial<Record<Key, (row: PayOrder) => Cell>> = {
  status: (row) => payStatus.show(row.status).label,
  purpose: (row) => payPurpose.show(row.purpose).label,
  provider: (row) => payProvider.show(row.provider).label,
  member: (row) => [row.memberName, row.memberPhone].filter((part) => part !== null).join(' ') || null,
  amount: (row) => ({ decimal: row.amount }),
  fee: (row) => ({ decimal: row.fee }),
  refunded: (row) => ({ decimal: row.refunded }),
  profitSharing: (row) => (row.profitSharing ? '是' : '否'),
}
const plain = (key: Key) => (row: PayOrder) => row[key as keyof PayOrder] as Cell

export const payOrderExport = listExport({
  list: 'payOrder',
  title: '支付订单',
  module: '支付订单',
  route: payOrder.list,
  read: listPayOrders,
  columns: Object.fromEntries(
    Object.entries(payOrderColumns).map(([key, title]) => [
      key,
      { title, of: worded[key as Key] ?? plain(key as Key) },
    ]),
  ),
})
