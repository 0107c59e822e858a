import { payProvider } from '@wattdeck/contract/accounting/pay-codes.ts'
import { rechargeRefund, type RechargeRefund, rechargeRefundColumns } from '@wattdeck/contract/order/recharge-refund.ts'
import { refundStep } from '@wattdeck/contract/order/refund-codes.ts'
import { listExport } from '../../../kit/bulk/exports.ts'
import type { Cell } from '../../../kit/bulk/sheets/cell.ts'
import { listRechargeRefunds } from './recharge-refund.store.ts'

type Key = keyof typeof rechargeRefundColumns

/** Columns that a file does not hold as the row has them. */
const worded: Partial<Record<Key, (row: RechargeRefund) => Cell>> = {
  status: (row) => refundStep.show(row.status).label,
  provider: (row) => payProvider.show(row.provider).label,
  recharged: (row) => ({ decimal: row.recharged }),
  amount: (row) => ({ decimal: row.amount }),
  gift: (row) => ({ decimal: row.gift }),
  giftSpent: (row) => ({ decimal: row.giftSpent }),
  payout: (row) => ({ decimal: row.payout }),
}
const plain = (key: Key) => (row: RechargeRefund) => row[key] as Cell

export const rechargeRefundExport = listExport({
  list: 'rechargeRefund',
  title: '充值退款',
  module: '充值退款',
  route: rechargeRefund.list,
  read: (db, scope, filter) => listRechargeRefunds(db, scope, filter),
  columns: Object.fromEntries(
    Object.entries(rechargeRefundColumns).map(([key, title]) => [
      key,
      { title, of: worded[key as Key] ?? plain(key as Key) },
    ]),
  ),
})
