import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw, constants, inflateRawSync } from 'node:zlib'
import { damaged, limits, SheetProblem, tooMuch } from './sheet-limits.ts'

type Entry = { name: string; method: number; crc: number; size: number; start: number; data: Buffer }

const signature = { local: 0x04_03_4b_50, central: 0x02_01_4b_50, end: 0x06_05_4b_50 }
const endLength = 22
const pieceLength = 65_536
// Magic bytes of nested archives: zip, gzip, 7z, RAR, xz, bzip2.
const archives = ['PK\x03\x04', '\x1F\x8B\x08', '7z\xBC\xAF', 'Rar!', '\xFD7zX', 'BZh']

/**
 * Reader for untrusted archives. Declared sizes are checked before anything is unpacked, and unpacked bytes are counted.
 * Nested archives, encryption, overlapping entries and duplicate names are refused.
 */
export class Zip {
  readonly #entries: Map<string, Entry>
  #unpacked = 0
  constructor(bytes: Buffer) {
    this.#entries = readDirectory(bytes)
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /** Names decoded as UTF-8, regardless of the flags of the archive. */
  names(): string[] {
    return [...this.#entries.keys()]
  }

  async *unpack(name: string): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(name)
    if (entry === undefined) throw damaged()
    let size = 0
    let crc = 0
    for await (const chunk of entry.method === 0 ? pieces(entry.data) : inflated(entry.data)) {
      size += chunk.length
      this.#unpacked += chunk.length
      if (this.#unpacked > limits.unpackedBytes) throw tooMuch()
      if (size > entry.size) throw damaged()
      crc = crc32(chunk, crc)
      yield chunk
    }
    if (size !== entry.size || crc !== entry.crc) throw damaged()
  }
}

function readDirectory(bytes: Buffer): Map<string, Entry> {
  const end = findEnd(bytes)
  const count = bytes.readUInt16LE(end + 10)
  if (count > limits.zipEntries) throw new SheetProblem(`文件内的条目超过${limits.zipEntries}个`)
  let at = bytes.readUInt32LE(end + 16)
  const directoryStart = at
  if (at + bytes.readUInt32LE(end + 12) !== end) throw damaged()
  const entries = new Map<string, Entry>()
  let declared = 0
  for (let place = 0; place < count; place++) {
    if (at + 46 > end || bytes.readUInt32LE(at) !== signature.central) throw damaged()
    const entry = readEntry(bytes, at, directoryStart)
    declared += entry.size
    if (declared > limits.unpackedBytes) throw tooMuch()
    if (entries.has(entry.name)) throw damaged()
    entries.set(entry.name, entry)
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  if (at !== end) throw damaged()
  refuseShared([...entries.values()])
  return entries
}

/** The end record is last; only its own comment may follow it. */
function findEnd(bytes: Buffer): number {
  const lowest = Math.max(0, bytes.length - endLength - 65_535)
  for (let at = bytes.length - endLength; at >= lowest; at--) {
    if (bytes.readUInt32LE(at) === signature.end && at + endLength + bytes.readUInt16LE(at + 20) === bytes.length)
      return at
  }
  throw damaged()
}

function readEntry(bytes: Buffer, at: number, directoryStart: number): Entry {
  const [flags, method] = [bytes.readUInt16LE(at + 8), bytes.readUInt16LE(at + 10)]
  if ((flags & 1) !== 0) throw new SheetProblem('不支持加密的表格')
  const [crc, packed, size] = [bytes.readUInt32LE(at + 16), bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)]
  const name = bytes.toString('utf8', at + 46, at + 46 + bytes.readUInt16LE(at + 28))
  const local = bytes.readUInt32LE(at + 42)
  if (method !== 0 && method !== 8) throw damaged()
  if (local + 30 > directoryStart || bytes.readUInt32LE(local) !== signature.local) throw damaged()
  const nameEnd = local + 30 + bytes.readUInt16LE(local + 26)
  const start = nameEnd + bytes.readUInt16LE(local + 28)
  if (start + packed > directoryStart || bytes.toString('utf8', local + 30, nameEnd) !== name) throw damaged()
  const data = bytes.subarray(start, start + packed)
  if (isArchive(method, data)) throw new SheetProblem('文件内不能包含压缩包')
  return { name, method, crc, size, start: local, data }
}

function isArchive(method: number, data: Buffer): boolean {
  const head = (method === 0 ? data : firstBytes(data)).toString('latin1', 0, 6)
  return archives.some((mark) => head.startsWith(mark))
}

/** Unpacks only a small piece of the input, which bounds the output. */
function firstBytes(data: Buffer): Buffer {
  try {
    return inflateRawSync(data.subarray(0, 512), { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 1024 * 1024 })
  } catch {
    throw damaged()
  }
}

function refuseShared(entries: Entry[]): void {
  let free = 0
  for (const { start, data } of entries.toSorted((a, b) => a.start - b.start)) {
    if (start < free) throw damaged()
    free = start + data.length
  }
}

function* pieces(data: Buffer): Generator<Buffer> {
  for (let at = 0; at < data.length; at += pieceLength) yield data.subarray(at, at + pieceLength)
}

async function* inflated(data: Buffer): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: pieceLength })
  pipeline(pieces(data), inflate).catch(() => undefined) // the reader reports the same failure
  try {
    yield* inflate as AsyncIterable<Buffer>
  } catch {
    throw damaged()
  }
}
