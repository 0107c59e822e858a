import { menuBadges, type MenuBadge } from '@wattdeck/contract/dashboard/menu-badges.ts'
import { createContext, useEffect } from 'react'
import { useDetail } from '../../kit/api/queries.ts'

/** What waits behind the menus. Read once by the shell: each part of the menu that comes and goes would read it again. */
export const Badges = createContext<readonly MenuBadge[] | undefined>(undefined)

/** The same for the shell, kept current. */
export function useLiveBadges(): readonly MenuBadge[] | undefined {
  useEffect(() => {
    const following = import('./follow-badges.ts').then(({ followBadges }) => followBadges())
    return () => void following.then((stop) => stop())
  }, [])
  return useDetail(menuBadges.list).data
}
