import {
  type CustomerAnalysis,
  customerAnalysis,
  customerAnalysisColumns,
} from '@wattdeck/contract/accounting/customer-analysis.ts'
import { energyText } from '@wattdeck/domain/tariff/labels.ts'
import { listExport, titledColumns } from '../../../kit/bulk/exports.ts'
import type { Cell } from '../../../kit/bulk/sheets/cell.ts'
import { listCustomers } from './customer-analysis.store.ts'

type Key = keyof typeof customerAnalysisColumns

function cellOf(key: Key, row: CustomerAnalysis): Cell {
  if (key === 'energyDwh') return { decimal: energyText(row.energyDwh) }
  const value = row[key]
  return key === 'ownerName' || typeof value !== 'string' ? value : { decimal: value }
}

export const customerAnalysisExport = listExport({
  list: 'customerAnalysis',
  title: '客户经营分析',
  module: '客户经营分析',
  route: customerAnalysis.list,
  read: listCustomers,
  columns: titledColumns(customerAnalysisColumns, cellOf),
})
