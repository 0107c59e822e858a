import { forgetFilters } from '../../kit/list/kept-filters.ts'
import { homePath } from '../../kit/routing/paths.ts'
import { onTabTitle } from '../../kit/routing/tab-titles.ts'
import { onLeave } from '../../kit/api/session.ts'
import { parseTabs, type Tab, withoutTab, withTab, withTitle } from './tabs-model.ts'

const storageKey = 'tabs'
const home: Tab = { key: homePath, address: homePath, title: '工作台' }
const listeners = new Set<() => void>()
/** A page that knows its object at once names it before its tab is there. */
const titles = new Map<string, string>()
let tabs = withTab(parseTabs(sessionStorage.getItem(storageKey)), home, homePath)

function keep(next: Tab[]) {
  tabs = next
  sessionStorage.setItem(storageKey, JSON.stringify(next))
  for (const listener of listeners) listener()
}

export const currentTabs = () => tabs
/** The title of a screen stands until the page names its object; going to another part of the page keeps that name. */
export function openTab({ key, address, title }: Tab, isObject: boolean) {
  const known = isObject ? (titles.get(key) ?? tabs.find((tab) => tab.key === key)?.title) : undefined
  keep(withTab(tabs, { key, address, title: known ?? title }, homePath))
}
onTabTitle((named, title) => {
  titles.set(named, title)
  if (tabs.some((tab) => tab.key === named && tab.title !== title)) keep(withTitle(tabs, named, title))
})
/** Answers where to go when the closed tab was the one on show. */
export function closeTab(closed: string, shown: string): string | undefined {
  titles.delete(closed)
  const next = withoutTab(tabs, closed, shown)
  keep(next.tabs)
  return next.goTo
}
onLeave(() => {
  titles.clear()
  keep([home])
  forgetFilters()
})

export function onTabs(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
