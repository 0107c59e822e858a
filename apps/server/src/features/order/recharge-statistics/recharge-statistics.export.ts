import {
  type RechargeStatistics,
  rechargeStatistics,
  rechargeStatisticsColumns,
} from '@wattdeck/contract/order/recharge-statistics.ts'
import { listExport, titledColumns } from '../../../kit/bulk/exports.ts'
import type { Cell } from '../../../kit/bulk/sheets/cell.ts'
import { listRechargeStatistics } from './recharge-statistics.store.ts'

type Key = keyof typeof rechargeStatisticsColumns

function cellOf(key: Key, row: RechargeStatistics): Cell {
  if (key === 'ownerName') return row.ownerName ?? '全部'
  const value = row[key]
  return key === 'period' || typeof value !== 'string' ? value : { decimal: value }
}

export const rechargeStatisticsExport = listExport({
  list: 'rechargeStatistics',
  title: '充值统计',
  module: '充值统计',
  route: rechargeStatistics.list,
  read: listRechargeStatistics,
  columns: titledColumns(rechargeStatisticsColumns, cellOf),
})
