import { useLocation, useMatches } from 'react-router'
import type { Screen } from './screen.ts'

/** The current screen, which each route has as its handle. */
export const useScreen = () => useMatches().findLast((match) => match.handle)?.handle as Screen | undefined

/** The path of the menu that the current screen belongs to. */
export function useMenuPath(): string {
  const { pathname } = useLocation()
  return useScreen()?.under ?? pathname
}

let all: readonly Screen[] = []
/** The shell registers all screens here once, so that the kit need not import it. */
export const registerScreens = (screens: readonly Screen[]) => {
  all = screens
}
export const registeredScreens = () => all
