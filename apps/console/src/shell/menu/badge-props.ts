import type { MenuBadge } from '@wattdeck/contract/dashboard/menu-badges.ts'
import { leavesOf, type MenuItem } from './menu-model.ts'

/** Undefined until they are loaded. */
type Badges = readonly MenuBadge[] | undefined

/** The number in the corner of a menu, and an accessible name with it: 告警中心，3 项待处理. */
export function badgeProps({ key, title }: MenuItem, badges: Badges) {
  const { count, more } = badges?.find(({ menu }) => menu === key) ?? {}
  if (!count) return {}
  return {
    'data-badge': count > 99 ? '99+' : count,
    'aria-label': `${title}，${count}${more ? '+' : ''} 项待处理`,
  }
}

/** The dot of a centre. */
export const dotProps = (item: MenuItem, badges: Badges) =>
  badges?.some(({ menu, count }) => count > 0 && leavesOf([item]).some(({ key }) => key === menu))
    ? { 'data-badge': '', 'aria-label': `${item.title}，有待处理` }
    : {}
