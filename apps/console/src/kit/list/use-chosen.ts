import { useState } from 'react'
import { type Chosen, chosenText, wholeFilter } from './chosen.ts'
import type { Row, Selection } from './data-table-props.ts'
import type { ShownPage } from './use-pages.ts'

type Params<T> = { selectAll?: boolean; barred?: (row: T) => boolean }
const nothing = { text: '', ids: [] as readonly string[], whole: false }

/** The selection of the page, or of the whole filter. A change of the filter clears it. */
export function useChosen<T extends Row>(
  text: string,
  page: ShownPage<T> | undefined,
  { selectAll, barred }: Params<T>,
) {
  const [state, keep] = useState(nothing)
  const { ids, whole } = state.text === text ? state : nothing
  const { rows = [], total = 0, bounded = false } = page ?? {}
  const marked = rows.filter((row) => (whole ? !barred?.(row) : ids.includes(row.id)))
  const clear = () => keep(nothing)
  const chosen: Chosen<T> = whole
    ? { ids: [], rows: [], filter: wholeFilter(text), count: total, bounded, clear }
    : { ids: marked.map((row) => row.id), rows: marked, count: marked.length, bounded: false, clear }
  const selection: Omit<Selection<T>, 'actions'> = {
    ids: marked.map((row) => row.id),
    onChange: (next) => keep({ text, ids: next, whole: false }),
    count: chosen.count,
    text: chosenText(chosen),
    ...(barred ? { barred } : {}),
    ...(selectAll && !whole && (total > rows.length || bounded)
      ? {
          whole: {
            label: bounded ? `选择筛选结果中的全部记录（超过 ${total} 条）` : `选择筛选结果中的全部 ${total} 条`,
            onClick: () => keep({ text, ids: [], whole: true }),
          },
        }
      : {}),
  }
  return { chosen, selection }
}
