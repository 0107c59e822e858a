/** What is chosen of a list: rows of its page, or all that its filter finds. */
export type Chosen<T> = {
  /** Empty when a whole filter is chosen. */
  ids: string[]
  rows: T[]
  /** The filter whose rows are chosen, all pages of it, as a query string of the list's own route. */
  filter?: string
  count: number
  /** There are more than `count`: a filter is counted up to a bound. */
  bounded: boolean
  clear: () => void
}

export const noneChosen: Chosen<never> = { ids: [], rows: [], count: 0, bounded: false, clear: () => undefined }

/**
 * The filter as a batch sends it. Without any condition it still names a page: an empty field of a form is left out, and
 * the batch would have said nothing.
 */
export const wholeFilter = (text: string) => text || 'pageNum=1'

/** What a batch route is told: the ids, or the filter. */
export const chosenBody = ({ ids, filter }: Pick<Chosen<unknown>, 'ids' | 'filter'>) =>
  filter === undefined ? { ids } : { filter }

export const chosenText = ({ filter, count, bounded }: Pick<Chosen<unknown>, 'filter' | 'count' | 'bounded'>) => {
  if (filter === undefined) return `已选 ${count} 条`
  return `已选筛选结果中的全部${bounded ? `记录（超过 ${count} 条）` : ` ${count} 条`}`
}
