import { breakKind, breakStatus, reconPair } from '@wattdeck/contract/accounting/recon-codes.ts'
import { breakColumns, type ReconBreak, reconciliation } from '@wattdeck/contract/accounting/reconciliation.ts'
import { listExport, titledColumns } from '../../../kit/bulk/exports.ts'
import type { Cell } from '../../../kit/bulk/sheets/cell.ts'
import { listBreaks } from './reconciliation.store.ts'

type Key = keyof typeof breakColumns
const decimal = (amount: string | null): Cell => (amount === null ? null : { decimal: amount })

/** Columns whose cell differs from the value of the row. */
const worded: Partial<Record<Key, (row: ReconBreak) => Cell>> = {
  kind: (row) => breakKind.show(row.kind).label,
  status: (row) => breakStatus.show(row.status).label,
  pair: (row) => reconPair.show(row.pair).label,
  ours: (row) => decimal(row.ours),
  theirs: (row) => decimal(row.theirs),
}
const cellOf = (key: Key, row: ReconBreak): Cell => worded[key]?.(row) ?? row[key]

export const breakExport = listExport({
  list: 'reconciliation',
  title: '对账差异',
  module: '对账',
  route: reconciliation.list,
  read: listBreaks,
  columns: titledColumns(breakColumns, cellOf),
})
