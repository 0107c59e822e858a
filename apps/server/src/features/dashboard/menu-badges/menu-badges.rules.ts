import type { MenuBadge } from '@wattdeck/contract/dashboard/menu-badges.ts'
import { type ToDo, toDoMost } from '@wattdeck/contract/dashboard/work-table.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'

/** The menu whose badge counts a kind. The other kinds do not belong to one menu. */
export const badgeMenu: Partial<Readonly<Record<ToDo['kind'], string>>> = {
  refundOrder: menuKey.refundOrder,
  rechargeRefund: menuKey.rechargeRefund,
  enterpriseRefund: menuKey.enterpriseRefund,
  balanceAdjustment: menuKey.balanceAdjustment,
  offlineRecharge: menuKey.offlineRecharge,
  cardReplacement: menuKey.storedCard,
  orderReview: menuKey.orderReview,
  reconciliation: menuKey.reconciliation,
  repairTicket: menuKey.repairTicket,
  offline: menuKey.alarmCenter,
  alarm: menuKey.alarmCenter,
}

/** One badge per menu. The kinds of a menu are added up, to the limit of a single kind. */
export function badgesOf(counted: readonly MenuBadge[]): MenuBadge[] {
  return [...Map.groupBy(counted, ({ menu }) => menu)].map(([menu, parts]) => {
    const count = parts.reduce((sum, part) => sum + part.count, 0)
    return { menu, count: Math.min(count, toDoMost), more: count > toDoMost || parts.some(({ more }) => more) }
  })
}
