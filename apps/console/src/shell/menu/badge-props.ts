import type { MenuBadge } from '@wattdeck/contract/dashboard/menu-badges.ts'
import { leavesOf, type MenuItem } from './menu-model.ts'

type Badges = readonly MenuBadge[]

/** The number in the corner of a menu, and a name that says it: 告警中心，3 项待处理. */
export function badgeProps({ key, title }: MenuItem, badges: Badges) {
  const { count = 0, more } = badges.find(({ menu }) => menu === key) ?? {}
  if (count === 0) return {}
  return {
    'data-badge': count > 99 ? '99+' : count,
    'aria-label': `${title}，${count}${more ? '+' : ''} 项待处理`,
  }
}

/** The dot of a centre, or of a group that is folded. */
export const dotProps = (item: MenuItem, badges: Badges) =>
  leavesOf([item]).some(({ key }) => badges.some(({ menu, count }) => menu === key && count > 0))
    ? { 'data-badge': '', 'aria-label': `${item.title}，有待处理` }
    : {}
