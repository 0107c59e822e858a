import { useLocation, useMatches } from 'react-router'
import type { Screen } from './screen.ts'

/** The screen on show, which each route carries as its handle. */
export const useScreen = () => useMatches().findLast((match) => match.handle)?.handle as Screen | undefined

/** Where the menu shows the screen on show. */
export function useMenuPath(): string {
  const { pathname } = useLocation()
  return useScreen()?.under ?? pathname
}

let all: readonly Screen[] = []
/** The shell knows all screens and says so once; what stands below it may only ask. */
export const introduceScreens = (screens: readonly Screen[]) => {
  all = screens
}
export const knownScreens = () => all
