import { clearPrivateFilters } from '../../kit/list/kept-filters.ts'
import { homePath } from '../../kit/routing/paths.ts'
import { onTabTitle } from '../../kit/routing/tab-titles.ts'
import { onLogout } from '../../kit/api/session.ts'
import { parseTabs, type Tab, withoutTab, withTab, withTitle } from './tabs-model.ts'

const storageKey = 'tabs'
const home: Tab = { key: homePath, address: homePath, title: '工作台' }
const listeners = new Set<() => void>()
/** A page may set its title before its tab exists. */
const titles = new Map<string, string>()
let tabs = withTab(parseTabs(sessionStorage.getItem(storageKey)), home, homePath)

function keep(next: Tab[]) {
  tabs = next
  sessionStorage.setItem(storageKey, JSON.stringify(next))
  for (const listener of listeners) listener()
}

export const currentTabs = () => tabs
/** The tab has the title of the screen until the page names its object; other parts of the page keep that name. */
export function openTab({ key, address, title }: Tab, isObject: boolean) {
  const objectTitle = isObject ? (titles.get(key) ?? tabs.find((tab) => tab.key === key)?.title) : undefined
  keep(withTab(tabs, { key, address, title: objectTitle ?? title }, homePath))
}
onTabTitle((named, title) => {
  titles.set(named, title)
  if (tabs.some((tab) => tab.key === named && tab.title !== title)) keep(withTitle(tabs, named, title))
})
/** Returns the next address if the closed tab was the current one. */
export function closeTab(closed: string, shown: string): string | undefined {
  titles.delete(closed)
  const next = withoutTab(tabs, closed, shown)
  keep(next.tabs)
  return next.goTo
}
onLogout(() => {
  titles.clear()
  keep([home])
  clearPrivateFilters()
})

export function onTabs(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
