import { neutralText } from '@wattdeck/domain/sheet-text.ts'

/** Amounts are decimal text; null is an empty cell. */
type ChartCell = string | number | null
export type ChartTable = { head: readonly string[]; rows: readonly (readonly ChartCell[])[] }

const digits = /^-?\d+(?:\.\d+)?$/
// Control characters except tab and line ends.
const unprintable = /[^\P{Cc}\t\r\n]/gu

function field(cell: ChartCell): string {
  if (cell === null || cell === '') return ''
  const text = String(cell)
  if (digits.test(text)) return text
  return `"${neutralText(text).toWellFormed().replaceAll(unprintable, '\uFFFD').replaceAll('"', '""')}"`
}

/** The format of the server's lists: a byte order mark, because Excel assumes GBK without one, and no formulas. */
export const csvOf = ({ head, rows }: ChartTable) =>
  `\uFEFF${[head, ...rows].map((row) => `${row.map((cell) => field(cell)).join(',')}\r\n`).join('')}`
