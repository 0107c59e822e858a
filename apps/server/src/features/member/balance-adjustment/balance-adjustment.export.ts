import {
  adjustmentColumns,
  adjustmentDirection,
  adjustmentStatus,
  type BalanceAdjustment,
  balanceAdjustment,
} from '@wattdeck/contract/member/balance-adjustment.ts'
import { wallet } from '@wattdeck/contract/member/member-row.ts'
import { listExport } from '../../../kit/bulk/exports.ts'
import type { Cell } from '../../../kit/bulk/sheets/cell.ts'
import { listAdjustments } from './balance-adjustment.store.ts'

type Key = keyof typeof adjustmentColumns
type Worded = 'status' | 'direction' | 'wallet' | 'amount'

/** Columns that a file does not hold as the row has them. */
const worded: Record<Worded, (row: BalanceAdjustment) => Cell> = {
  status: (row) => adjustmentStatus.show(row.status).label,
  direction: (row) => adjustmentDirection.show(row.direction).label,
  wallet: (row) => wallet.show(row.wallet).label,
  amount: (row) => ({ decimal: row.amount }),
}
const cellOf =
  (key: Key) =>
  (row: BalanceAdjustment): Cell =>
    key in worded ? worded[key as Worded](row) : row[key as Exclude<Key, Worded>]

export const adjustmentExport = listExport({
  list: 'balanceAdjustment',
  title: '余额调整',
  module: '余额调整',
  route: balanceAdjustment.list,
  read: (db, scope, filter) => listAdjustments(db, scope, filter),
  columns: Object.fromEntries(
    Object.entries(adjustmentColumns).map(([key, title]) => [key, { title, of: cellOf(key as Key) }]),
  ),
})
