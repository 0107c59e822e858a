import { menuBadges, type MenuBadge } from '@wattdeck/contract/dashboard/menu-badges.ts'
import { createContext, useEffect } from 'react'
import { useDetail } from '../../kit/api/queries.ts'

/** Pending work by menu. The shell reads it once, because each part of the menu would read it again when it mounts. */
export const Badges = createContext<readonly MenuBadge[] | undefined>(undefined)

/** Reads the badges for the shell, and refetches them on changes. */
export function useLiveBadges(): readonly MenuBadge[] | undefined {
  useEffect(() => {
    const following = import('./follow-badges.ts').then(({ followBadges }) => followBadges())
    return () => void following.then((stop) => stop())
  }, [])
  return useDetail(menuBadges.list).data
}
