import { payProvider, rechargeStatus } from '@wattdeck/contract/accounting/pay-codes.ts'
import { rechargeColumns, rechargeRecord, type RechargeRecord } from '@wattdeck/contract/order/recharge-record.ts'
import { listExport } from '../../../kit/bulk/exports.ts'
import type { Cell } from '../../../kit/bulk/sheets/cell.ts'
import { listRecharges } from './recharge-record.store.ts'

type Key = keyof typeof rechargeColumns
const decimal = (value: string | null): Cell => (value === null ? null : { decimal: value })

/** Columns that a file does not hold as the row has them. */
const worded: Partial<Record<Key, (row: RechargeRecord) => Cell>> = {
  status: (row) => rechargeStatus.show(row.status).label,
  provider: (row) => payProvider.show(row.provider).label,
  amount: (row) => decimal(row.amount),
  gift: (row) => decimal(row.gift),
  credited: (row) => decimal(row.credited),
  before: (row) => decimal(row.before),
  after: (row) => decimal(row.after),
  refunded: (row) => decimal(row.refunded),
}
const plain = (key: Key) => (row: RechargeRecord) => row[key] as Cell

export const rechargeExport = listExport({
  list: 'rechargeRecord',
  title: '充值记录',
  module: '充值记录',
  route: rechargeRecord.list,
  read: listRecharges,
  columns: Object.fromEntries(
    Object.entries(rechargeColumns).map(([key, title]) => [
      key,
      { title, of: worded[key as Key] ?? plain(key as Key) },
    ]),
  ),
})
