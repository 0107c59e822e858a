import { useEffect, useSyncExternalStore } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { homePath } from '../kit/paths.ts'
import { useScreen } from './RootFrame.tsx'
import { closeTab, currentTabs, onTabs, openTab } from './tabs-store.ts'

export function useTabs() {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const title = useScreen()?.title
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
