import type { ReactNode } from 'react'
import type { Column } from './columns.ts'
import type { RowAction } from './RowActions.tsx'
import type { Paging } from './known-pages.ts'

export type Row = { id: string }

export type Selection<T> = {
  /** Of the rows on this page. */
  ids: readonly string[]
  onChange: (ids: string[]) => void
  /** The number of selected rows; with a whole filter it may exceed this page. */
  count: number
  /** Describes the selection. */
  text: string
  /** Buttons for the selected rows. */
  actions: ReactNode
  /** Rows that cannot be selected. */
  barred?: (row: T) => boolean
  /** Selects all rows of the filter; offered once the whole page is selected. */
  whole?: { label: string; onClick: () => void } | undefined
}

/** The sortable columns and the current sort: the key of a column, with the prefix `-` for descending. */
export type Sorting = { by: readonly string[]; now: string | undefined; onChange: (sort: string | undefined) => void }

export type DataTableProps<T extends Row> = {
  /** The storage name of the user's column choice. */
  listKey: string
  columns: readonly Column<T>[]
  query: {
    data: { rows: T[] } | undefined
    error: unknown
    isFetching: boolean
    refetch: () => unknown
    dataUpdatedAt?: number
  }
  /** The name of a row in labels and confirmations. */
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
  /** Beside 重试, when there are no old rows to show. */
  rescue?: ReactNode
  /** Rows that another user has just changed. */
  flashing?: ReadonlySet<string>
  /** For tree tables: the field with the child rows. */
  childrenKey?: keyof T & string
}
