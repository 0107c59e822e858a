import type { DefaultColumns } from '@wattdeck/contract/kit/list.ts'
import type { ReactNode } from 'react'
import { dash } from '../display/cells.tsx'
import { type Column, plainWidth } from './columns.ts'

/**
 * The default columns of a list, each with one value or with two below each other; all others are hidden until the user
 * selects them. `alike` are columns with the same value in every row that this user sees.
 */
export function decidedColumns<T>(
  columns: readonly Column<T>[],
  decided: DefaultColumns,
  alike: readonly string[] = [],
): Column<T>[] {
  const find = (key: string | undefined) =>
    key === undefined || alike.includes(key) ? undefined : columns.find((column) => column.key === key)
  const first = decided.flatMap(([key, belowKey]) => {
    const [above, below] = [find(key), find(belowKey)]
    const only = above ?? below
    if (only === undefined) return []
    const shown = { ...only, hidden: false }
    return [above && below ? pairOf(shown, below) : shown]
  })
  const decidedKeys = new Set(first.map(({ key }) => key))
  return [...first, ...columns.filter(({ key }) => !decidedKeys.has(key)).map((one) => ({ ...one, hidden: true }))]
}

/** A dash marks an empty cell; a cell with one of two values is not empty. */
const shown = (value: ReactNode) => (value === dash ? null : value)

const pairOf = <T,>(above: Column<T>, below: Column<T>): Column<T> => ({
  ...above,
  title: `${above.title} / ${below.title}`,
  width: Math.max(above.width ?? plainWidth, below.width ?? plainWidth),
  soft: above.soft === true && below.soft === true,
  below: below.key,
  render: (row) => (
    <div className="cell-pair">
      <div>{above.render(row)}</div>
      <div>{shown(below.render(row))}</div>
    </div>
  ),
})
