import { completedOrder } from '@wattdeck/contract/order/completed-order.ts'
import { listExport } from '../../../kit/bulk/exports.ts'
import { orderCells } from '../_shared/order-export.ts'
import { listCompletedOrders } from './completed-order.store.ts'

export const completedOrderExport = listExport({
  list: 'completedOrder',
  title: '已完成订单',
  module: '已完成订单',
  route: completedOrder.list,
  read: listCompletedOrders,
  columns: orderCells,
})
