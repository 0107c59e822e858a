/**
 * The open pages. A tab is identified by its path, and by its object where a page shows one of many; its address keeps
 * its last filters.
 */
export type Tab = { key: string; address: string; title: string }
export const maxTabs = 12

/** The tabs after a page was opened: its tab is updated or added; above the maximum, the first unpinned tab is closed. */
export function withTab(tabs: readonly Tab[], opened: Tab, pinned: string): Tab[] {
  if (tabs.some(({ key }) => key === opened.key)) return tabs.map((tab) => (tab.key === opened.key ? opened : tab))
  const next = [...tabs, opened]
  if (next.length <= maxTabs) return next
  const victim = next.findIndex(({ key }) => key !== pinned && key !== opened.key)
  return next.toSpliced(victim, 1)
}

/** The tabs after a page has set its title. */
export const withTitle = (tabs: readonly Tab[], named: string, title: string): Tab[] =>
  tabs.map((tab) => (tab.key === named ? { ...tab, title } : tab))

/** The tabs after one was closed, and the next address if it was the current one: its right neighbour, else the left one. */
export function withoutTab(
  tabs: readonly Tab[],
  closed: string,
  shown: string,
): { tabs: Tab[]; goTo: string | undefined } {
  const place = tabs.findIndex(({ key }) => key === closed)
  const rest = tabs.filter(({ key }) => key !== closed)
  return { tabs: rest, goTo: closed === shown ? (rest[place] ?? rest.at(-1))?.address : undefined }
}

/** Validates each tab, because the content of session storage is not trusted. */
export function parseTabs(text: string | null): Tab[] {
  try {
    const value = JSON.parse(text ?? '[]') as unknown
    return Array.isArray(value) ? value.filter((one) => isTab(one)).slice(0, maxTabs) : []
  } catch {
    return []
  }
}

const isTab = (value: unknown): value is Tab =>
  typeof value === 'object' &&
  value !== null &&
  ['key', 'address', 'title'].every((name) => typeof (value as Record<string, unknown>)[name] === 'string')
