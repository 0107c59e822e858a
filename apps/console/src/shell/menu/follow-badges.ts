import { menuBadges } from '@wattdeck/contract/dashboard/menu-badges.ts'
import { refetchRoutes } from '../../kit/api/queries.ts'
import { followLists } from '../../kit/live/follow-lists.ts'

const polled = [menuBadges.list]
/** The lists behind the badges. Orders change all the time: those in review are counted with the next minute. */
const lists = [
  'alarm',
  'repairTicket',
  'refundOrder',
  'rechargeRefund',
  'enterpriseRefund',
  'balanceAdjustment',
  'reconciliation',
]
const routes = Object.fromEntries(lists.map((list) => [list, polled]))

/** Reads the badges again when a list behind one has changed, at most once in fifteen seconds. Answers how to stop. */
export const followBadges = (): (() => void) =>
  followLists({ routes, polled, leastMs: 15_000, pollMs: 60_000 }, (due) => void refetchRoutes(due))
