import { liveOperations } from '@wattdeck/contract/dashboard/live-operations.ts'
import { refetchRoutes } from '../../../kit/api/queries.ts'
import { followLists } from '../../../kit/live/follow-lists.ts'

const { alarms, charges, devices } = liveOperations
const routes = { alarm: [alarms], repairTicket: [alarms], order: [charges], device: [devices] }
// Online changes are sent only to subscribers of single devices, and elapsed time changes without events.
const polled = [devices, alarms, charges]

/**
 * Refetches changed routes, at most once in five seconds, and all of them once a minute. Returns the function to stop.
 */
export const followLive = (): (() => void) =>
  followLists({ routes, polled, leastMs: 5000, pollMs: 60_000 }, (due) => void refetchRoutes(due))
