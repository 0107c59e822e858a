export type TreeItem = {
  id: string
  title: string
  children: readonly TreeItem[]
  /** There is something below that has not been read yet. */
  unread?: boolean
}

/** The branches that hold the text, each with all below it when it matches itself. */
export function searchTree(items: readonly TreeItem[], text: string): TreeItem[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return [...items]
  return items.flatMap((item) => {
    if (item.title.toLowerCase().includes(wanted)) return [item]
    const children = searchTree(item.children, wanted)
    return children.length > 0 ? [{ ...item, children }] : []
  })
}

/** The ids of a tree, but of what must be read before it can be opened. */
export const treeIds = (items: readonly TreeItem[]): string[] =>
  items.flatMap((item) => (item.unread === true ? [] : [item.id, ...treeIds(item.children)]))

export function findInTree(items: readonly TreeItem[], id: string | undefined): TreeItem | undefined {
  for (const item of items) {
    const found = item.id === id ? item : findInTree(item.children, id)
    if (found) return found
  }
  return undefined
}
