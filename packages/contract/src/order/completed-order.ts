import { exportList } from '../kit/bulk.ts'
import { page, PageQuery } from '../kit/page.ts'
import { get } from '../kit/route.ts'
import { row } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { orderQuery, OrderRow, OrderTotals, totalsQuery } from './order-row.ts'

const menu = menuKey.completedOrder

/** Orders that were billed. */
export const completedOrder = {
  list: get('/seeker/api/completedOrder/pageList', {
    access: { menu },
    query: PageQuery.extend(orderQuery),
    data: page(OrderRow),
  }),
  totals: get('/seeker/api/completedOrder/totals', { access: { menu }, query: row(totalsQuery), data: OrderTotals }),
  exportList: exportList('/seeker/api/completedOrder/export', { menu, module: '已完成订单' }),
}
