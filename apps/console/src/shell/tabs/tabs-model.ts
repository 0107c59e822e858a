/**
 * The open pages. A tab is known by its path, and by its object where a page shows one of many; its address keeps the
 * filters it was left with.
 */
export type Tab = { key: string; address: string; title: string }
export const maxTabs = 12

/** After a page was opened: its tab is renewed or added; when there are too many, the first that is not pinned goes. */
export function withTab(tabs: readonly Tab[], opened: Tab, pinned: string): Tab[] {
  if (tabs.some(({ key }) => key === opened.key)) return tabs.map((tab) => (tab.key === opened.key ? opened : tab))
  const next = [...tabs, opened]
  if (next.length <= maxTabs) return next
  const victim = next.findIndex(({ key }) => key !== pinned && key !== opened.key)
  return next.toSpliced(victim, 1)
}

/** After a page has said what it shows. */
export const withTitle = (tabs: readonly Tab[], named: string, title: string): Tab[] =>
  tabs.map((tab) => (tab.key === named ? { ...tab, title } : tab))

/** After a tab was closed, and where to go if it was the one on show: its right neighbour, else the left one. */
export function withoutTab(
  tabs: readonly Tab[],
  closed: string,
  shown: string,
): { tabs: Tab[]; goTo: string | undefined } {
  const place = tabs.findIndex(({ key }) => key === closed)
  const rest = tabs.filter(({ key }) => key !== closed)
  return { tabs: rest, goTo: closed === shown ? (rest[place] ?? rest.at(-1))?.address : undefined }
}

/** Anything may stand in session storage. */
export function parseTabs(kept: string | null): Tab[] {
  try {
    const value = JSON.parse(kept ?? '[]') as unknown
    return Array.isArray(value) ? value.filter((one) => isTab(one)).slice(0, maxTabs) : []
  } catch {
    return []
  }
}

const isTab = (value: unknown): value is Tab =>
  typeof value === 'object' &&
  value !== null &&
  ['key', 'address', 'title'].every((name) => typeof (value as Record<string, unknown>)[name] === 'string')
