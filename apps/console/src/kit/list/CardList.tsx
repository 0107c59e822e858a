import { Checkbox } from 'antd'
import type { Column } from './columns.ts'
import type { DataTableProps, Row } from './data-table-props.ts'
import { RowActions } from './RowActions.tsx'

type Props<T extends Row> = Pick<
  DataTableProps<T>,
  'selection' | 'rowActions' | 'nameOf' | 'empty' | 'childrenKey' | 'flashing'
> & {
  columns: readonly Column<T>[]
  rows: readonly T[]
}

/** The list on a phone. */
export function CardList<T extends Row>({
  columns,
  rows,
  selection,
  rowActions,
  nameOf,
  empty,
  childrenKey,
  flashing,
}: Props<T>) {
  if (rows.length === 0) return <div className="state-pane">{empty}</div>
  const [head, ...others] = columns.filter((column) => column.card !== 'none')
  const tags = others.filter((column) => column.card === 'tag')
  const lines = others.filter((column) => column.card !== 'tag')
  return (
    <ul className="card-list">
      {(childrenKey ? flattened(rows, childrenKey) : rows).map((row) => (
        <li key={row.id} className={flashing?.has(row.id) ? 'panel card flashing' : 'panel card'}>
          <div className="card-head">
            {selection && (
              <Checkbox
                className="card-check"
                aria-label={`选择 ${nameOf(row)}`}
                disabled={selection.barred?.(row) ?? false}
                checked={selection.ids.includes(row.id)}
                onChange={(event) => selection.onChange(toggled(selection.ids, row.id, event.target.checked))}
              />
            )}
            <strong>{head?.render(row)}</strong>
            <span className="card-tags">
              {tags.map((column) => (
                <span key={column.key}>{column.render(row)}</span>
              ))}
            </span>
          </div>
          <dl className="card-lines">
            {lines.map((column) => (
              <div key={column.key}>
                <dt>{column.title}</dt>
                <dd>{column.render(row)}</dd>
              </div>
            ))}
          </dl>
          {rowActions && <RowActions card actions={rowActions(row)} what={nameOf(row)} />}
        </li>
      ))}
    </ul>
  )
}

const toggled = (ids: readonly string[], id: string, on: boolean) =>
  on ? [...ids, id] : ids.filter((other) => other !== id)

/** A card cannot expand a branch, so every row of the tree is a card. */
const flattened = <T extends Row>(rows: readonly T[], childrenKey: keyof T & string): T[] =>
  rows.flatMap((row) => [row, ...flattened((row[childrenKey] as T[] | undefined) ?? [], childrenKey)])
