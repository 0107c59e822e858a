import { liveOperations } from '@wattdeck/contract/dashboard/live-operations.ts'
import { refetchRoutes } from '../../../kit/api/queries.ts'
import { followLists } from '../../../kit/live/follow-lists.ts'

const { alarms, charges, devices } = liveOperations
const routes = { alarm: [alarms], repairTicket: [alarms], order: [charges], device: [devices] }
// Devices that come and go are told only to those who watch them one by one, and time goes on without any change.
const polled = [devices, alarms, charges]

/** Reads again what has changed, at most once in five seconds, and everything once a minute. Answers how to stop. */
export const followLive = (): (() => void) =>
  followLists({ routes, polled, leastMs: 5000, pollMs: 60_000 }, (due) => void refetchRoutes(due))
