import { workTable } from '@wattdeck/contract/dashboard/work-table.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { followLists } from '../../../kit/live/follow-lists.ts'

const { figure, trend, plugs, types, toDo } = workTable

/** The routes of the work table affected by a change of a list. */
const routes: Readonly<Record<string, readonly AnyRoute[]>> = {
  order: [figure, trend, toDo],
  device: [figure, plugs, types, toDo],
  alarm: [figure, plugs, toDo],
  member: [figure],
  refundOrder: [toDo],
  rechargeRefund: [toDo],
  enterpriseRefund: [toDo],
  balanceAdjustment: [toDo],
  offlineRecharge: [toDo],
  storedCard: [toDo],
  reconciliation: [toDo],
  repairTicket: [toDo, figure],
}
// Online changes of devices are sent only to subscribers of single devices, so these routes are polled once a minute.
const polled = [figure, plugs]

/** Calls `reread` with the changed routes, at most once in five seconds. Returns the function to stop. */
export const followTable = (reread: (due: readonly AnyRoute[]) => unknown): (() => void) =>
  followLists({ routes, polled, leastMs: 5000, pollMs: 60_000 }, reread)
