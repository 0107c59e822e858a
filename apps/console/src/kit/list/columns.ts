import type { TableColumnType } from 'antd'
import type { ReactNode } from 'react'

/** One column. On a phone the first column is the head of a card and the others follow below it, unless `card` is set. */
export type Column<T> = {
  key: string
  title: string
  render: (row: T) => ReactNode
  width?: number
  align?: 'start' | 'end'
  /** Stays visible while the table scrolls sideways. */
  fixed?: 'start' | 'end' | false
  /** Hidden until the user selects it. */
  hidden?: boolean
  /** tag: beside the head of the card. none: left out of the card. */
  card?: 'tag' | 'none'
  /** A text that may be truncated where there is little room. */
  soft?: boolean
  /** Key of the column whose value is shown below, in the same cell. */
  below?: string
}

/** The stored choice of one user for one list. */
export type ColumnChoice = { order: string[]; hidden: string[] }

/** The columns in the stored order without the hidden ones; newer columns keep their own position. */
export function chosenColumns<C extends { key: string; hidden?: boolean }>(
  columns: readonly C[],
  choice: ColumnChoice | undefined,
): C[] {
  return orderedColumns(columns, choice).filter((column) => !isHidden(column, choice))
}

export function orderedColumns<C extends { key: string }>(
  columns: readonly C[],
  choice: ColumnChoice | undefined,
): C[] {
  if (!choice) return [...columns]
  const ordered = choice.order.flatMap((key) => columns.find((column) => column.key === key) ?? [])
  const orderedKeys = new Set(choice.order)
  for (const [place, column] of columns.entries()) if (!orderedKeys.has(column.key)) ordered.splice(place, 0, column)
  return ordered
}

export const isHidden = (column: { key: string; hidden?: boolean }, choice: ColumnChoice | undefined): boolean =>
  choice?.order.includes(column.key) ? choice.hidden.includes(column.key) : column.hidden === true

/** The order after one column has moved one position. */
export function moved(order: readonly string[], key: string, by: -1 | 1): string[] {
  const from = order.indexOf(key)
  const to = from + by
  if (from === -1 || to < 0 || to >= order.length) return [...order]
  const next = [...order]
  next.splice(to, 0, ...next.splice(from, 1))
  return next
}

export const plainWidth = 140
const [narrow, leastText] = [120, 100]

/** The minimum width: all of it for figures and states, 87 % for numbers and times, 60 % for texts. */
function leastWidth({ width = plainWidth, soft = false }: { width?: number; soft?: boolean }): number {
  if (soft) return Math.min(width, Math.max(leastText, width * 0.6))
  return width <= narrow ? width : width * 0.87
}

/** Where texts alone cannot make room, all columns shrink to at least this share of their minimum. */
const tightest = 0.75

/** Widths that fill the room, if the columns can shrink enough; otherwise unchanged, and the table scrolls. */
export function fittedWidths(columns: readonly { width?: number; soft?: boolean }[], room: number): number[] {
  const widths = columns.map(({ width }) => width ?? plainWidth)
  const least = columns.map((column) => leastWidth(column))
  const [all, needed] = [widths, least].map((some) => some.reduce((sum, width) => sum + width, 0)) as [number, number]
  if (room >= all) return widths.map((width) => Math.floor((width * room) / all))
  const tight = room / needed
  if (tight < 1) return tight < tightest ? widths : least.map((width) => Math.floor(width * tight))
  const share = (room - needed) / (all - needed)
  return widths.map((width, place) => Math.floor((least[place] ?? 0) + share * (width - (least[place] ?? 0))))
}

export function antdColumn<T>(column: Column<T>): TableColumnType<T> {
  return {
    key: column.key,
    title: column.title,
    render: (_, row) => column.render(row),
    ...(column.width ? { width: column.width } : {}),
    ...(column.align ? { align: column.align } : {}),
    ...(column.fixed ? { fixed: column.fixed } : {}),
    ellipsis: column.fixed !== 'end',
  }
}
