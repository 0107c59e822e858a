import type { MenuBadge } from '@wattdeck/contract/dashboard/menu-badges.ts'
import { type ToDo, toDoMost } from '@wattdeck/contract/dashboard/work-table.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'

/** The menu that shows how much of a kind waits. Other kinds are no work of one menu. */
export const badgeMenu: Partial<Readonly<Record<ToDo['kind'], string>>> = {
  refundOrder: menuKey.refundOrder,
  rechargeRefund: menuKey.rechargeRefund,
  enterpriseRefund: menuKey.enterpriseRefund,
  balanceAdjustment: menuKey.balanceAdjustment,
  orderReview: menuKey.orderReview,
  reconciliation: menuKey.reconciliation,
  repairTicket: menuKey.repairTicket,
  offline: menuKey.alarmCenter,
  alarm: menuKey.alarmCenter,
}

/** One badge a menu. Kinds of one menu are added up, no further than one kind is counted. */
export function badgesOf(counted: readonly MenuBadge[]): MenuBadge[] {
  return [...Map.groupBy(counted, ({ menu }) => menu)].map(([menu, parts]) => {
    const count = parts.reduce((sum, part) => sum + part.count, 0)
    return { menu, count: Math.min(count, toDoMost), more: count > toDoMost || parts.some(({ more }) => more) }
  })
}
