import { useState } from 'react'
import { type Chosen, chosenText, wholeFilter } from './chosen.ts'
import type { Row, Selection } from './data-table-props.ts'
import type { ShownPage } from './use-pages.ts'

type Params<T> = { selectAll?: boolean; barred?: (row: T) => boolean }
const nothing = { text: '', ids: [] as readonly string[], whole: false }

/** What is chosen of the page, or of the whole filter. Another filter finds other rows: nothing is chosen of it yet. */
export function useChosen<T extends Row>(
  text: string,
  page: ShownPage<T> | undefined,
  { selectAll, barred }: Params<T>,
) {
  const [kept, keep] = useState(nothing)
  const { ids, whole } = kept.text === text ? kept : nothing
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
