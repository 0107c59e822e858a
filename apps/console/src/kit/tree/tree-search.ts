export type TreeItem = {
  id: string
  title: string
  children: readonly TreeItem[]
  /** It has children that are not loaded yet. */
  unread?: boolean
}

/** The branches that contain the text; a matching item keeps all items below it. */
export function searchTree(items: readonly TreeItem[], text: string): TreeItem[] {
  const needle = text.trim().toLowerCase()
  if (needle === '') return [...items]
  return items.flatMap((item) => {
    if (item.title.toLowerCase().includes(needle)) return [item]
    const children = searchTree(item.children, needle)
    return children.length > 0 ? [{ ...item, children }] : []
  })
}

/** The ids of a tree, except those of items that must be loaded before they open. */
export const treeIds = (items: readonly TreeItem[]): string[] =>
  items.flatMap((item) => (item.unread === true ? [] : [item.id, ...treeIds(item.children)]))

export function findInTree(items: readonly TreeItem[], id: string | undefined): TreeItem | undefined {
  for (const item of items) {
    const found = item.id === id ? item : findInTree(item.children, id)
    if (found) return found
  }
  return undefined
}
