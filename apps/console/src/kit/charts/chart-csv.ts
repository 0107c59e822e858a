import { neutralText } from '@wattdeck/domain/sheet-text.ts'

/** What stands in a cell. Amounts are decimal text; null is nothing. */
type ChartCell = string | number | null
export type ChartTable = { head: readonly string[]; rows: readonly (readonly ChartCell[])[] }

const digits = /^-?\d+(?:\.\d+)?$/
// Control characters but tab and line ends.
const unprintable = /[^\P{Cc}\t\r\n]/gu

function field(cell: ChartCell): string {
  if (cell === null || cell === '') return ''
  const text = String(cell)
  if (digits.test(text)) return text
  return `"${neutralText(text).toWellFormed().replaceAll(unprintable, '\uFFFD').replaceAll('"', '""')}"`
}

/** As the server writes lists: with a byte order mark, without which Excel takes it for GBK; no text is a formula. */
export const csvOf = ({ head, rows }: ChartTable) =>
  `\uFEFF${[head, ...rows].map((row) => `${row.map((cell) => field(cell)).join(',')}\r\n`).join('')}`
