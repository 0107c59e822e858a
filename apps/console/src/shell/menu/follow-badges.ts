import { menuBadges } from '@wattdeck/contract/dashboard/menu-badges.ts'
import { refetchRoutes } from '../../kit/api/queries.ts'
import { followLists } from '../../kit/live/follow-lists.ts'

const polled = [menuBadges.list]
/** The lists behind the badges. Orders are missing, because they change all the time; the poll counts those in review. */
const lists = [
  'alarm',
  'repairTicket',
  'refundOrder',
  'rechargeRefund',
  'enterpriseRefund',
  'balanceAdjustment',
  'offlineRecharge',
  'storedCard',
  'reconciliation',
]
const routes = Object.fromEntries(lists.map((list) => [list, polled]))

/** Refetches the badges when a list behind one has changed, at most once in 15 s. Returns a function that stops it. */
export const followBadges = (): (() => void) =>
  followLists({ routes, polled, leastMs: 15_000, pollMs: 60_000 }, (due) => void refetchRoutes(due))
