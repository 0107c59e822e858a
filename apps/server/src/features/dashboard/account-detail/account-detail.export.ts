import { accountKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import { accountColumns, type AccountDetail, accountDetail } from '@wattdeck/contract/dashboard/account-detail.ts'
import { listExport, titledColumns } from '../../../kit/bulk/exports.ts'
import type { Cell } from '../../../kit/bulk/sheets/cell.ts'
import { listAccounts } from './account-detail.store.ts'

type Key = keyof typeof accountColumns
const amounts = new Set<Key>(['opening', 'income', 'expense', 'closing', 'frozen', 'available'])

function cellOf(key: Key, row: AccountDetail): Cell {
  if (key === 'kind') return accountKind.show(row.kind).label
  const value = row[key]
  return value !== null && amounts.has(key) ? { decimal: value } : value
}

export const accountExport = listExport({
  list: 'accountDetail',
  title: '账户明细',
  module: '账户明细',
  route: accountDetail.list,
  read: listAccounts,
  columns: titledColumns(accountColumns, cellOf),
})
