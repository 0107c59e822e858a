import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { neutralText } from '@wattdeck/domain/sheet-text.ts'
import { type Cell, digitsOf } from './cell.ts'

const chunkLength = 32_768
export const byteOrderMark = '\uFEFF'
// Control characters except tab and line ends.
const unprintable = /[^\P{Cc}\t\r\n]/gu

/**
 * Streams rows as CSV to `to` and ends it. The file is UTF-8 with a byte order mark, because Excel assumes GBK without one.
 * Every text is quoted and neutralised against formulas, whatever separator a program assumes.
 */
export async function writeCsv(
  head: readonly string[],
  rows: AsyncIterable<readonly Cell[]>,
  to: Writable,
): Promise<void> {
  await pipeline(Readable.from(lines(head, rows), { objectMode: false }), to)
}

async function* lines(head: readonly string[], rows: AsyncIterable<readonly Cell[]>): AsyncGenerator<string> {
  let waiting = byteOrderMark + line(head)
  for await (const row of rows) {
    waiting += line(row)
    if (waiting.length < chunkLength) continue
    yield waiting
    waiting = ''
  }
  yield waiting
}

export const line = (row: readonly Cell[]) => `${row.map(field).join(',')}\r\n`

function field(cell: Cell): string {
  if (cell === null || cell === '') return ''
  if (typeof cell !== 'string') return digitsOf(cell)
  return `"${neutralText(cell).toWellFormed().replaceAll(unprintable, '\uFFFD').replaceAll('"', '""')}"`
}
