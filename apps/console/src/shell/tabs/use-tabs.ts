import { useEffect, useSyncExternalStore } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useScreen } from '../../kit/routing/current-screen.ts'
import { homePath } from '../../kit/routing/paths.ts'
import { useUser } from '../../kit/api/user.ts'
import { maySee } from '../guard.ts'
import { closeTab, currentTabs, onTabs, openTab } from './tabs-store.ts'

export function useTabs() {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const screen = useScreen()
  const user = useUser()
  // A page that was refused is not an open page.
  const title = screen && maySee(screen, user) ? screen.title : undefined
  const tabs = useSyncExternalStore(onTabs, currentTabs)
  useEffect(() => {
    if (title) openTab({ path: pathname, address: pathname + search, title })
  }, [pathname, search, title])

  function close(path: string) {
    if (path === homePath) return
    const goTo = closeTab(path, pathname)
    if (goTo) void navigate(goTo)
  }
  return { tabs, shown: pathname, close }
}
