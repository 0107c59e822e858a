import { useEffect, useSyncExternalStore } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useScreen } from '../../kit/routing/current-screen.ts'
import { homePath } from '../../kit/routing/paths.ts'
import { tabKey } from '../../kit/routing/screen.ts'
import { useUser } from '../../kit/api/user.ts'
import { maySee } from '../guard.ts'
import { closeTab, currentTabs, onTabs, openTab } from './tabs-store.ts'

export function useTabs() {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const screen = useScreen()
  const user = useUser()
  // A page that the guard refuses gets no tab.
  const title = screen && maySee(screen, user) ? screen.title : undefined
  const key = tabKey(screen, { pathname, search })
  const isObject = screen?.object !== undefined
  const tabs = useSyncExternalStore(onTabs, currentTabs)
  useEffect(() => {
    if (title) openTab({ key, address: pathname + search, title }, isObject)
  }, [key, pathname, search, title, isObject])

  function close(closed: string) {
    if (closed === homePath) return
    const goTo = closeTab(closed, key)
    if (goTo) void navigate(goTo)
  }
  return { tabs, shown: key, close }
}
