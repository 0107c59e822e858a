import { openColumns, openMark, type OpenOrder, unfinishedOrder } from '@wattdeck/contract/order/unfinished-order.ts'
import { wattText } from '@wattdeck/domain/tariff/labels.ts'
import { listExport } from '../../../kit/bulk/exports.ts'
import type { Cell } from '../../../kit/bulk/sheets/cell.ts'
import { orderCells } from '../_shared/order-export.ts'
import { listOpenOrders } from './unfinished-order.store.ts'

const own: Record<keyof typeof openColumns, (row: OpenOrder) => Cell> = {
  held: (row) => ({ decimal: row.held }),
  power: (row) => (row.powerDw === null ? null : wattText(row.powerDw)),
  reportedAt: (row) => row.reportedAt,
  expectedEndAt: (row) => row.expectedEndAt,
  marks: (row) => row.marks.map((mark) => openMark.show(mark).label).join('、'),
}

export const unfinishedOrderExport = listExport({
  list: 'unfinishedOrder',
  title: '未完成订单',
  module: '未完成订单',
  route: unfinishedOrder.list,
  read: listOpenOrders,
  columns: {
    ...orderCells,
    ...Object.fromEntries(
      Object.entries(openColumns).map(([key, title]) => [key, { title, of: own[key as keyof typeof openColumns] }]),
    ),
  },
})
