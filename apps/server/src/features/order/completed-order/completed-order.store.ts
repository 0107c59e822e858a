import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { completedOrder } from '@wattdeck/contract/order/completed-order.ts'
import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { inStatus } from '../_shared/order-filter.ts'
import { listOrders, orderTotals } from '../_shared/order-list.store.ts'

const billed = inStatus(orderStatus.code.billed)

export const listCompletedOrders = (db: Db, scope: Scope, filter: QueryOf<typeof completedOrder.list>) =>
  listOrders(db, scope, filter, billed)

export const completedTotals = (db: Db, scope: Scope, filter: QueryOf<typeof completedOrder.totals>) =>
  orderTotals(db, scope, filter, billed)
