import type { TableColumnType, TableProps } from 'antd'
import type { Column } from './columns.ts'
import type { Sorting } from './data-table-props.ts'

type Sorter = Parameters<NonNullable<TableProps['onChange']>>[2]
type OneSorter = Exclude<Sorter, readonly unknown[]>

/** The header props that sort by the column, or by the value below it. */
export function sortOf<T>({ key, below }: Column<T>, sorting: Sorting | undefined): TableColumnType<T> {
  const name = [key, below].find((one) => one !== undefined && sorting?.by.includes(one))
  if (name === undefined) return {}
  const order = sorting?.now === name ? 'ascend' : sorting?.now === `-${name}` ? 'descend' : null
  return { dataIndex: name, sorter: true, sortOrder: order, showSorterTooltip: false }
}

/** The sort after a click on a header; none after the second direction. */
export function sortText({ field, order }: OneSorter): string | undefined {
  if (!order) return undefined
  return order === 'ascend' ? String(field) : `-${String(field)}`
}
