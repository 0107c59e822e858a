import type { ReactNode } from 'react'
import type { Column } from './columns.ts'
import type { RowAction } from './RowActions.tsx'
import type { Paging } from './TablePager.tsx'

export type Row = { id: string }

export type Selection<T> = {
  ids: readonly string[]
  onChange: (ids: string[]) => void
  /** Buttons for the chosen rows. */
  actions: ReactNode
  /** Rows that cannot be chosen. */
  barred?: (row: T) => boolean
}

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
  toolbar?: ReactNode
  empty?: ReactNode
  /** For tree tables: the field that holds the rows below a row. */
  childrenKey?: keyof T & string
}
