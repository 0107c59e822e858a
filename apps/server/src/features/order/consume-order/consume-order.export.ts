import { consumeOrder } from '@wattdeck/contract/order/consume-order.ts'
import { listExport } from '../../../kit/bulk/exports.ts'
import { orderCells } from '../_shared/order-export.ts'
import { listConsumeOrders } from './consume-order.store.ts'

export const consumeOrderExport = listExport({
  list: 'consumeOrder',
  title: '消费订单',
  module: '消费订单',
  route: consumeOrder.list,
  read: listConsumeOrders,
  columns: orderCells,
})
