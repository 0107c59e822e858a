import {
  type OrderStatistics,
  orderStatistics,
  orderStatisticsColumns,
} from '@wattdeck/contract/order/order-statistics.ts'
import { energyText } from '@wattdeck/domain/tariff/labels.ts'
import { listExport, titledColumns } from '../../../kit/bulk/exports.ts'
import type { Cell } from '../../../kit/bulk/sheets/cell.ts'
import { hoursText } from './order-statistics.rules.ts'
import { listOrderStatistics } from './order-statistics.store.ts'

type Key = keyof typeof orderStatisticsColumns
const counts = new Set<Key>(['orders', 'charges', 'visits'])

function cellOf(key: Key, row: OrderStatistics): Cell {
  if (key === 'ownerName') return row.ownerName ?? '全部'
  if (key === 'seconds') return { decimal: hoursText(row.seconds) }
  if (key === 'energyDwh') return { decimal: energyText(row.energyDwh) }
  const value = row[key]
  return key === 'period' || counts.has(key) || value === null ? value : { decimal: String(value) }
}

export const orderStatisticsExport = listExport({
  list: 'orderStatistics',
  title: '订单统计',
  module: '订单统计',
  route: orderStatistics.list,
  read: listOrderStatistics,
  columns: titledColumns(orderStatisticsColumns, cellOf),
})
