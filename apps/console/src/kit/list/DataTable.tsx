import { Checkbox, Table, type TableColumnType, type TableProps } from 'antd'
import { BatchBar } from './BatchBar.tsx'
import { CardList } from './CardList.tsx'
import { antdColumn, chosenColumns, fittedWidths, plainWidth } from './columns.ts'
import type { DataTableProps, Row, Selection } from './data-table-props.ts'
import { lazyPart } from '../routing/lazy-part.tsx'
import { actionsWidth, RowActions } from './RowActions.tsx'
import { FailedPane, LateSkeleton } from '../display/States.tsx'
import { useColumnChoice, useDensity } from './table-preferences.ts'
import { sortOf, sortText } from './sorting.ts'
import { TableToolbar } from './TableToolbar.tsx'
import { useNarrow } from '../display/use-narrow.ts'
import { useTableHeight } from './use-table-height.ts'
import { useWidth } from './use-width.ts'
import { useUser } from '../api/user.ts'

// antd's pagination is large and below the rows: it is fetched at once, but the rows do not wait for it.
const pager = import('./TablePager.tsx')
const TablePager = lazyPart(async () => (await pager).TablePager)

const clock = new Intl.DateTimeFormat('zh-CN', { timeStyle: 'medium', timeZone: 'Asia/Shanghai' })
const clockText = (at: number) => clock.format(at)
const virtualFrom = 100
const numberWidth = 56
const selectionWidth = 44

/** A list: table on a screen, cards on a phone, with the same columns and actions. */
export function DataTable<T extends Row>(props: DataTableProps<T>) {
  const { query, listKey, selection, paging } = props
  const narrow = useNarrow()
  const [choice, keepChoice] = useColumnChoice(listKey)
  const [density, keepDensity] = useDensity()
  const columns = chosenColumns(props.columns, choice)
  const rows = query.data?.rows

  if (rows === undefined)
    return query.error ? (
      <FailedPane error={query.error} onRetry={query.refetch} rescue={props.rescue} />
    ) : (
      <LateSkeleton rows={8} />
    )
  return (
    <div className={query.isFetching ? 'data-table fetching' : 'data-table'} aria-busy={query.isFetching}>
      {selection && selection.count > 0 ? (
        <BatchBar text={selection.text} more={moreOf(selection, rows)} onClear={() => selection.onChange([])}>
          {selection.actions}
        </BatchBar>
      ) : (
        <TableToolbar
          failure={query.error}
          onRefresh={query.refetch}
          refreshing={query.isFetching}
          columns={narrow ? undefined : { all: props.columns, choice, keep: keepChoice }}
          density={narrow ? undefined : { density, keep: keepDensity }}
          {...(query.dataUpdatedAt ? { updated: `更新于 ${clockText(query.dataUpdatedAt)}` } : {})}
        >
          {props.views}
          {props.toolbar}
        </TableToolbar>
      )}
      {narrow ? (
        <CardList {...props} columns={columns} rows={rows} />
      ) : (
        <WideTable {...props} columns={columns} rows={rows} density={density} />
      )}
      {paging && (rows.length > 0 || paging.pageNum > 1) && (
        <div className="table-pager">
          <div className="table-totals">{props.totals}</div>
          <TablePager paging={paging} narrow={narrow} />
        </div>
      )}
    </div>
  )
}

type WideProps<T extends Row> = DataTableProps<T> & { rows: T[]; density: 'large' | 'medium' | 'small' }

function WideTable<T extends Row>({
  rows,
  columns,
  density,
  selection,
  rowActions,
  nameOf,
  empty,
  childrenKey,
  paging,
  sorting,
  flashing,
}: WideProps<T>) {
  const user = useUser()
  const virtual = rows.length >= virtualFrom
  const { ref, width: room } = useWidth<HTMLDivElement>()
  const height = useTableHeight(ref)
  const besides =
    (childrenKey ? 0 : numberWidth) +
    (selection ? selectionWidth : 0) +
    (rowActions ? actionsWidth(user, rows.map(rowActions)) : 0)
  const widths = fittedWidths(columns, room - besides)
  const shown: TableColumnType<T>[] = columns.map((column, place) => ({
    ...antdColumn(column),
    ...sortOf(column, sorting),
    width: widths[place] ?? plainWidth,
  }))
  const before = paging ? (paging.pageNum - 1) * paging.pageSize : 0
  // Rows of a tree are not numbered.
  if (!childrenKey)
    shown.unshift({
      key: 'number',
      title: '序号',
      fixed: 'start',
      width: numberWidth,
      render: (_: unknown, __: T, place: number) => before + place + 1,
    })
  if (rowActions) {
    const render = (_: unknown, row: T) => <RowActions actions={rowActions(row)} what={nameOf(row)} />
    shown.push({ key: 'actions', title: '操作', fixed: 'end', width: actionsWidth(user, rows.map(rowActions)), render })
  }
  const width = widths.reduce((sum, one) => sum + one, besides)
  return (
    <div ref={ref}>
      <Table<T>
        rowKey="id"
        rowClassName={(row) => (flashing?.has(row.id) ? 'flashing' : '')}
        size={density}
        columns={shown}
        dataSource={rows}
        pagination={false}
        onChange={(_, __, sorter, { action }) => {
          if (action === 'sort' && !Array.isArray(sorter)) sorting?.onChange(sortText(sorter))
        }}
        virtual={virtual}
        sticky={virtual ? false : { offsetHeader: 88 }}
        scroll={virtual ? { x: width, y: height } : { x: width }}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- without rows the keyboard could not scroll to the columns on the right
        locale={{ emptyText: <div tabIndex={0}>{empty}</div> }}
        // The same applies to rows without actions.
        onRow={(_, place) => (!rowActions && place === 0 ? { tabIndex: 0 } : {})}
        {...(childrenKey ? { expandable: { childrenColumnName: childrenKey, defaultExpandAllRows: true } } : {})}
        {...(selection ? { rowSelection: rowSelectionOf(selection, rows, nameOf) } : {})}
      />
    </div>
  )
}

const freeIds = <T extends Row>({ barred }: Selection<T>, rows: readonly T[]) =>
  rows.filter((row) => !barred?.(row)).map((row) => row.id)
const isAll = (free: readonly string[], ids: readonly string[]) =>
  free.length > 0 && free.every((id) => ids.includes(id))

/** Cards have no header checkbox, so the bar offers the page first. */
function moreOf<T extends Row>(selection: Selection<T>, rows: readonly T[]) {
  const free = freeIds(selection, rows)
  if (isAll(free, selection.ids)) return selection.whole
  return { label: '选择本页全部', onClick: () => selection.onChange(free) }
}

/** With its own header checkbox: antd repeats its one in a hidden row, with the same accessible name. */
function rowSelectionOf<T extends Row>(
  selection: Selection<T>,
  rows: readonly T[],
  nameOf: (row: T) => string,
): NonNullable<TableProps<T>['rowSelection']> {
  const free = freeIds(selection, rows)
  const all = isAll(free, selection.ids)
  return {
    selectedRowKeys: [...selection.ids],
    onChange: (keys) => selection.onChange(keys.map(String)),
    columnWidth: selectionWidth,
    fixed: true,
    getCheckboxProps: (row) => ({
      disabled: selection.barred?.(row) ?? false,
      'aria-label': `选择 ${nameOf(row)}`,
    }),
    columnTitle: (
      <Checkbox
        aria-label="选择本页全部"
        checked={all}
        indeterminate={!all && selection.ids.length > 0}
        onChange={() => selection.onChange(all ? [] : free)}
      />
    ),
  }
}
