import { defineList } from '../kit/list.ts'
import { get } from '../kit/route.ts'
import { row } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { defaultOrderColumns, orderFields, orderFilter, OrderTotals, wholeDays } from './order-row.ts'

const menu = menuKey.completedOrder

export const completedOrderList = defineList('/seeker/api/completedOrder', {
  menu,
  module: '已完成订单',
  fields: orderFields,
  decided: defaultOrderColumns,
  sorts: ['createdAt'],
  filter: orderFilter,
  exports: true,
})

/** Billed orders. */
export const completedOrder = {
  ...completedOrderList.routes,
  totals: get('/seeker/api/completedOrder/totals', {
    access: { menu },
    query: row({ ...completedOrderList.filterShape, ...wholeDays }),
    data: OrderTotals,
  }),
}
