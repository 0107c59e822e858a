import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Cell } from './cell.ts'
import { byteOrderMark, line } from './write-csv.ts'
import { type ZipEntry, zipped } from './zip-writer.ts'

export type PackedFile = { name: string; content: string }

/** Streams an archive with a file for each row and a final table of the rows to `to`, and ends it. */
export async function writePack(
  head: readonly string[],
  rows: AsyncIterable<{ file: PackedFile; cells: readonly Cell[] }>,
  to: Writable,
): Promise<void> {
  await pipeline(Readable.from(zipped(entries(head, rows)), { objectMode: false }), to)
}

async function* entries(
  head: readonly string[],
  rows: AsyncIterable<{ file: PackedFile; cells: readonly Cell[] }>,
): AsyncGenerator<ZipEntry> {
  let table = byteOrderMark + line(head)
  for await (const { file, cells } of rows) {
    table += line(cells)
    yield { name: file.name, content: [file.content] }
  }
  yield { name: 'list.csv', content: [table] }
}
