import { forgetFilters } from '../../kit/list/kept-filters.ts'
import { homePath } from '../../kit/routing/paths.ts'
import { onLeave } from '../../kit/api/session.ts'
import { parseTabs, type Tab, withoutTab, withTab } from './tabs-model.ts'

const key = 'tabs'
const home: Tab = { path: homePath, address: homePath, title: '工作台' }
const listeners = new Set<() => void>()
let tabs = withTab(parseTabs(sessionStorage.getItem(key)), home, homePath)

function keep(next: Tab[]) {
  tabs = next
  sessionStorage.setItem(key, JSON.stringify(next))
  for (const listener of listeners) listener()
}

export const currentTabs = () => tabs
export const openTab = (opened: Tab) => keep(withTab(tabs, opened, homePath))
/** Answers where to go when the closed tab was the one on show. */
export function closeTab(path: string, shown: string): string | undefined {
  const next = withoutTab(tabs, path, shown)
  keep(next.tabs)
  return next.goTo
}
onLeave(() => {
  keep([home])
  forgetFilters()
})

export function onTabs(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
