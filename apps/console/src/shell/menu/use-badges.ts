import { menuBadges, type MenuBadge } from '@wattdeck/contract/dashboard/menu-badges.ts'
import { createContext, useContext, useEffect } from 'react'
import { useDetail } from '../../kit/api/queries.ts'

const none: readonly MenuBadge[] = []
/** Read once by the shell: each part of the menu that comes and goes would read them again. */
const Badges = createContext(none)
export const BadgeProvider = Badges.Provider
/** What waits behind the menus. */
export const useBadges = () => useContext(Badges)

/** The same for the shell, kept current. */
export function useLiveBadges(): readonly MenuBadge[] {
  useEffect(() => {
    const following = import('./follow-badges.ts').then(({ followBadges }) => followBadges())
    return () => void following.then((stop) => stop())
  }, [])
  return useDetail(menuBadges.list).data ?? none
}
