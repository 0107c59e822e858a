import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'

export type ZipEntry = { name: string; content: Iterable<string> | AsyncIterable<string> }
type Sums = { crc: number; size: number; packed: number }

const max32 = 0xff_ff_ff_ff
// Sizes follow the data (bit 3), because they are not known in advance; names are UTF-8 (bit 11); deflated (8); 1980-01-01.
const common = [20, 0x08_08, 8, 0, 0x00_21]

/** Streams a zip archive. Only the checksums and sizes of an entry are kept in memory. */
export async function* zipped(entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = []
  let at = 0
  for await (const { name, content } of entries) {
    const sums: Sums = { crc: 0, size: 0, packed: 0 }
    const header = Buffer.concat([words(0x04_03_4b_50), halves(...common), words(0, 0, 0), nameFields(name)])
    yield header
    for await (const chunk of deflated(content, sums)) {
      sums.packed += chunk.length
      yield chunk
    }
    yield Buffer.concat([words(0x08_07_4b_50), sumFields(sums)])
    directory.push(directoryEntry(name, sums, at))
    at += header.length + sums.packed + 16
    if (at > max32 || sums.size > max32) throw new Error('more than 4 GB do not fit into one archive')
  }
  const listed = Buffer.concat(directory)
  yield listed
  const count = directory.length
  yield Buffer.concat([words(0x06_05_4b_50), halves(0, 0, count, count), words(listed.length, at), halves(0)])
}

async function* deflated(content: ZipEntry['content'], sums: Sums): AsyncGenerator<Buffer> {
  const deflate = createDeflateRaw()
  // The reader of the output reports the same failure.
  pipeline(Readable.from(measured(content, sums), { objectMode: false }), deflate).catch(() => undefined)
  yield* deflate as AsyncIterable<Buffer>
}

async function* measured(content: ZipEntry['content'], sums: Sums): AsyncGenerator<Buffer> {
  for await (const text of content) {
    const bytes = Buffer.from(text)
    sums.crc = crc32(bytes, sums.crc)
    sums.size += bytes.length
    yield bytes
  }
}

const sumFields = ({ crc, packed, size }: Sums) => words(crc, packed, size)
const nameFields = (name: string) => Buffer.concat([halves(Buffer.byteLength(name), 0), Buffer.from(name)])

function directoryEntry(name: string, sums: Sums, at: number): Buffer {
  const bytes = Buffer.from(name)
  return Buffer.concat([
    words(0x02_01_4b_50),
    halves(20, ...common),
    sumFields(sums),
    halves(bytes.length, 0, 0, 0, 0),
    words(0, at),
    bytes,
  ])
}

const words = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer)
const halves = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer)
