/** The selection of a list: rows of its page, or all rows of its filter. */
export type Chosen<T> = {
  /** Empty when a whole filter is selected. */
  ids: string[]
  rows: T[]
  /** The filter whose rows are selected, on all pages, as a query string of the list's own route. */
  filter?: string
  count: number
  /** There are more rows than `count`: a filter is counted up to a bound. */
  bounded: boolean
  clear: () => void
}

export const noneChosen: Chosen<never> = { ids: [], rows: [], count: 0, bounded: false, clear: () => undefined }

/**
 * The filter as a batch sends it. Without any condition it still names a page, because an empty field of a form is not
 * sent.
 */
export const wholeFilter = (text: string) => text || 'pageNum=1'

/** The body of a batch route: the ids, or the filter. */
export const chosenBody = ({ ids, filter }: Pick<Chosen<unknown>, 'ids' | 'filter'>) =>
  filter === undefined ? { ids } : { filter }

export const chosenText = ({ filter, count, bounded }: Pick<Chosen<unknown>, 'filter' | 'count' | 'bounded'>) => {
  if (filter === undefined) return `已选 ${count} 条`
  return `已选筛选结果中的全部${bounded ? `记录（超过 ${count} 条）` : ` ${count} 条`}`
}
