import type { ReactNode } from 'react'
import type { Column } from './columns.ts'
import type { RowAction } from './RowActions.tsx'
import type { Paging } from './known-pages.ts'

export type Row = { id: string }

export type Selection<T> = {
  /** Of the rows on this page. */
  ids: readonly string[]
  onChange: (ids: string[]) => void
  /** How many are chosen; with a whole filter more than stand on this page. */
  count: number
  /** What is chosen, in words. */
  text: string
  /** Buttons for the chosen rows. */
  actions: ReactNode
  /** Rows that cannot be chosen. */
  barred?: (row: T) => boolean
  /** Chooses all that the filter finds; offered once the whole page is chosen. */
  whole?: { label: string; onClick: () => void } | undefined
}

/** What the rows can be ordered by, and are: the key of a column, with `-` before it highest first. */
export type Sorting = { by: readonly string[]; now: string | undefined; onChange: (sort: string | undefined) => void }

export type DataTableProps<T extends Row> = {
  /** Under this name the columns a person chose are kept. */
  listKey: string
  columns: readonly Column<T>[]
  query: {
    data: { rows: T[] } | undefined
    error: unknown
    isFetching: boolean
    refetch: () => unknown
    dataUpdatedAt?: number
  }
  /** What a row is called in labels and questions. */
  nameOf: (row: T) => string
  rowActions?: (row: T) => RowAction[]
  selection?: Selection<T>
  paging?: Paging
  sorting?: Sorting | undefined
  /** First in the toolbar. */
  views?: ReactNode
  toolbar?: ReactNode
  /** Beside the pager. */
  totals?: ReactNode
  empty?: ReactNode
  /** Beside 重试, when not even old rows can be shown. */
  rescue?: ReactNode
  /** Rows that have just been changed by somebody else. */
  flashing?: ReadonlySet<string>
  /** For tree tables: the field that holds the rows below a row. */
  childrenKey?: keyof T & string
}
