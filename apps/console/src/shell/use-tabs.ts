import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { homePath } from './guard.ts'
import { useScreen } from './RootFrame.tsx'
import { parseTabs, type Tab, withoutTab, withTab } from './tabs-model.ts'

const key = 'tabs'
const home: Tab = { path: homePath, address: homePath, title: '工作台' }

export function useTabs() {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const title = useScreen()?.title
  const [kept, setKept] = useState(() => withTab(parseTabs(sessionStorage.getItem(key)), home, homePath))
  const opened = title ? { path: pathname, address: pathname + search, title } : undefined
  // Derived while drawing, so that a new page never flashes without its tab.
  const tabs = opened ? withTab(kept, opened, homePath) : kept
  const text = JSON.stringify(tabs)
  useEffect(() => {
    sessionStorage.setItem(key, text)
    setKept(JSON.parse(text) as Tab[])
  }, [text])

  function close(path: string) {
    if (path === homePath) return
    const next = withoutTab(tabs, path, pathname)
    setKept(next.tabs)
    if (next.goTo) void navigate(next.goTo)
  }
  return { tabs, shown: pathname, close }
}
