import {
  enterpriseRefund,
  type EnterpriseRefund,
  enterpriseRefundColumns,
} from '@wattdeck/contract/order/enterprise-refund.ts'
import { refundStep } from '@wattdeck/contract/order/refund-codes.ts'
import { listExport } from '../../../kit/bulk/exports.ts'
import type { Cell } from '../../../kit/bulk/sheets/cell.ts'
import { listEnterpriseRefunds } from './enterprise-refund.store.ts'

type Key = keyof typeof enterpriseRefundColumns

/** Columns that a file does not hold as the row has them. */
const worded: Partial<Record<Key, (row: EnterpriseRefund) => Cell>> = {
  status: (row) => refundStep.show(row.status).label,
  amount: (row) => ({ decimal: row.amount }),
}
const plain = (key: Key) => (row: EnterpriseRefund) => row[key] as Cell

export const enterpriseRefundExport = listExport({
  list: 'enterpriseRefund',
  title: '企业退款',
  module: '企业退款',
  route: enterpriseRefund.list,
  read: (db, scope, filter) => listEnterpriseRefunds(db, scope, filter),
  columns: Object.fromEntries(
    Object.entries(enterpriseRefundColumns).map(([key, title]) => [
      key,
      { title, of: worded[key as Key] ?? plain(key as Key) },
    ]),
  ),
})
