import { workTable } from '@wattdeck/contract/dashboard/work-table.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { followRoutes } from '../../../kit/live/follow-routes.ts'

const { figure, trend, plugs, types, toDo } = workTable

/** What a change of a list means for the work table. */
const meant: Readonly<Record<string, readonly AnyRoute[]>> = {
  order: [figure, trend, toDo],
  device: [figure, plugs, types, toDo],
  alarm: [figure, plugs, toDo],
  member: [figure],
  refundOrder: [toDo],
  rechargeRefund: [toDo],
  enterpriseRefund: [toDo],
  balanceAdjustment: [toDo],
  reconciliation: [toDo],
  repairTicket: [toDo, figure],
}

/** Calls `reread` for what has changed on the work table. Answers how to stop. */
export const followTable = (reread: (routes: readonly AnyRoute[]) => unknown): (() => void) =>
  followRoutes({ meant, polled: [figure, plugs] }, reread)
