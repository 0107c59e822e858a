import { workTable } from '@wattdeck/contract/dashboard/work-table.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { followLists } from '../../../kit/live/follow-lists.ts'

const { figure, trend, plugs, types, toDo } = workTable

/** What a change of a list means for the work table. */
const routes: Readonly<Record<string, readonly AnyRoute[]>> = {
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
// Devices that come and go are told only to those who watch them one by one: they are looked for once a minute.
const polled = [figure, plugs]

/** Calls `reread` for what has changed, at most once in five seconds. Answers how to stop. */
export const followTable = (reread: (due: readonly AnyRoute[]) => unknown): (() => void) =>
  followLists({ routes, polled, leastMs: 5000, pollMs: 60_000 }, reread)
