import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { crc32, deflateRawSync, deflateSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Measured } from '../../../../test/harness/measure-refusal.ts'
import { bookFrame, inSheet, rawBook, rawZip, sheetName } from '../../../../test/harness/raw-zip.ts'

/** Malicious files, read in a process whose CPU time and memory are measured. */
type Case = [what: string, make: () => Buffer, answer: string]
const script = new URL('../../../../test/harness/measure-refusal.ts', import.meta.url).pathname

async function measure(kind: 'sheet' | 'picture', cases: Case[]): Promise<Measured[]> {
  const directory = mkdtempSync(join(tmpdir(), 'wattdeck-bombs-'))
  try {
    const paths = cases.map(([, make], place) => {
      const path = join(directory, String(place))
      writeFileSync(path, make())
      return path
    })
    const { stdout } = await promisify(execFile)(process.execPath, [script, kind, ...paths])
    return JSON.parse(stdout) as Measured[]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const damaged = '422 文件已损坏或格式不正确，请使用 xlsx 或 csv 文件'
const tooMuch = '422 表格内容过大，请拆分后上传'
const zeros = Buffer.alloc(10 * 1024 * 1024)
const packedZeros = deflateRawSync(zeros, { level: 1 })
const hugeZeros = Buffer.alloc(300 * 1024 * 1024)
const packedHugeZeros = deflateRawSync(hugeZeros, { level: 1 })
const laughs = `<!DOCTYPE lolz [<!ENTITY a "ha">${Array.from({ length: 20 }, (_, n) => `<!ENTITY a${n} "${`&a${n === 0 ? '' : n - 1};`.repeat(10)}">`).join('')}]>`
const inner = rawZip([{ name: 'a', content: 'x' }])
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, place) => `<row r="${place + 1}"><c><v>1</v></c></row>`).join('')
const columnName = (place: number): string =>
  (place < 26 ? '' : columnName(Math.floor(place / 26) - 1)) + String.fromCharCode(65 + (place % 26))
const wide = Array.from({ length: 16_384 }, (_, place) => `<c r="${columnName(place)}1"><v>1</v></c>`).join('')
const cell = '<row><c t="inlineStr"><is><t>a</t></is></c></row>'
const one = (xml: string) => `<worksheet><sheetData>${xml}</sheetData></worksheet>`

const sheets: Case[] = [
  [
    'a hundred entries of zeros, 10 MB each',
    () =>
      rawZip([
        ...bookFrame,
        ...Array.from({ length: 100 }, (_, place) => ({
          name: `xl/media/${place}`,
          packed: packedZeros,
          size: zeros.length,
          crc: crc32(zeros),
        })),
        { name: sheetName, content: inSheet(cell) },
      ]),
    tooMuch,
  ],
  [
    'a sheet of 300 MB that declares 1000 bytes',
    () => rawZip([...bookFrame, { name: sheetName, packed: packedHugeZeros, size: 1000 }]),
    damaged,
  ],
  [
    'shared texts of 300 MB that declare 90 MB',
    () =>
      rawZip([
        ...bookFrame,
        { name: 'xl/sharedStrings.xml', packed: packedHugeZeros, size: 90 * 1024 * 1024 },
        { name: sheetName, content: inSheet(cell) },
      ]),
    damaged,
  ],
  [
    'an archive inside, stored',
    () => rawBook(inSheet(cell), [{ name: 'a.bin', content: inner, stored: true }]),
    '422 文件内不能包含压缩包',
  ],
  [
    'an archive inside, packed',
    () => rawBook(inSheet(cell), [{ name: 'a.bin', content: inner }]),
    '422 文件内不能包含压缩包',
  ],
  [
    'a thousand and more entries',
    () =>
      rawBook(
        inSheet(cell),
        Array.from({ length: 1001 }, (_, place) => ({ name: `e${place}` })),
      ),
    '422 文件内的条目超过1000个',
  ],
  [
    'entries that share their bytes',
    () =>
      rawZip([
        ...bookFrame,
        { name: sheetName, content: inSheet(cell) },
        { name: 'b', content: inSheet(cell), overlaps: true },
      ]),
    damaged,
  ],
  ['two entries of one name', () => rawBook(inSheet(cell), [{ name: sheetName, content: inSheet(cell) }]), damaged],
  [
    'an entry with another name in front of its data',
    () => rawZip([...bookFrame, { name: sheetName, localName: 'xl/worksheets/sheet2.xml', content: inSheet(cell) }]),
    damaged,
  ],
  ['a false checksum', () => rawZip([...bookFrame, { name: sheetName, content: inSheet(cell), crc: 1 }]), damaged],
  [
    'an encrypted entry',
    () => rawZip([...bookFrame, { name: sheetName, content: inSheet(cell), flags: 1 }]),
    '422 不支持加密的表格',
  ],
  [
    'an unknown way of packing',
    () => rawZip([...bookFrame, { name: sheetName, content: inSheet(cell), method: 12 }]),
    damaged,
  ],
  ['a directory that counts too many', () => rawZip(bookFrame, { count: 900 }), damaged],
  ['a million rows', () => rawBook(inSheet(rowsOf(1_000_000))), '422 表格最多10000行'],
  ['ten thousand rows and one', () => rawBook(inSheet(rowsOf(10_002))), '422 表格最多10000行'],
  ['16384 columns', () => rawBook(inSheet(`<row r="1">${wide}</row>`)), '422 表格最多100列'],
  ['a row far beyond any sheet', () => rawBook(inSheet('<row r="9999999"/>')), damaged],
  [
    'a billion laughs',
    () => rawBook(`<?xml version="1.0"?>${laughs}${one('<row><c t="inlineStr"><is><t>&a19;</t></is></c></row>')}`),
    damaged,
  ],
  [
    'an entity that reads a file',
    () =>
      rawBook(`<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>${one('<row><c t="str"><v>&f;</v></c></row>')}`),
    damaged,
  ],
  ['an entity that nobody declared', () => rawBook(one('<row><c t="str"><v>&f;</v></c></row>')), damaged],
  ['tags inside tags', () => rawBook(`<worksheet>${'<a>'.repeat(1_000_000)}`), damaged],
  ['a tag without an end', () => rawBook(`<worksheet a="${'x'.repeat(20_000_000)}"/>`), damaged],
  [
    'a text without an end',
    () => rawBook(inSheet(`<row><c t="str"><v>${'x'.repeat(20_000_000)}</v></c></row>`)),
    damaged,
  ],
  ['empty cells without an end', () => rawBook(inSheet(`<row>${'<c/>'.repeat(2_000_000)}</row>`)), damaged],
  ['empty tags without an end', () => rawBook(`<worksheet>${'<a/>'.repeat(6_000_000)}</worksheet>`), tooMuch],
  [
    'shared texts without an end',
    () =>
      rawBook(inSheet(cell), [{ name: 'xl/sharedStrings.xml', content: `<sst>${'<si/>'.repeat(2_000_000)}</sst>` }]),
    tooMuch,
  ],
  [
    'one long text in a million cells',
    () => {
      const row = `<row>${'<c t="s"><v>0</v></c>'.repeat(100)}</row>`
      const texts = `<sst><si><t>${'长'.repeat(2000)}</t></si></sst>`
      return rawBook(inSheet(row.repeat(10_000)), [{ name: 'xl/sharedStrings.xml', content: texts }])
    },
    tooMuch,
  ],
  [
    'a sheet on another machine',
    () =>
      rawZip([
        { name: 'xl/workbook.xml', content: bookFrame[0]?.content ?? '' },
        {
          name: 'xl/_rels/workbook.xml.rels',
          content: '<R><Relationship Id="r1" TargetMode="External" Target="http://example.cn/x"/></R>',
        },
      ]),
    damaged,
  ],
  ['an archive cut short', () => rawBook(inSheet(rowsOf(500))).subarray(0, -30), damaged],
  ['an archive with a tail', () => Buffer.concat([rawBook(inSheet(cell)), Buffer.from('<script>')]), damaged],
  [
    'a PDF that is also a workbook',
    () => Buffer.concat([Buffer.from('%PDF-1.7\n%\xE2\xE3'), rawBook(inSheet(cell))]),
    damaged,
  ],
  [
    'a picture that is also a workbook',
    () => Buffer.concat([Buffer.from('\x89PNG\r\n\x1A\n', 'latin1'), rawBook(inSheet(cell))]),
    damaged,
  ],
  [
    'an old workbook',
    () => Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    '422 不支持旧版 xls 或加密的表格，请另存为 xlsx 后上传',
  ],
  ['a page called csv', () => Buffer.from('<html><script>alert(1)</script></html>'), damaged],
  ['bytes by chance', () => Buffer.from(Array.from({ length: 5000 }, (_, place) => (place * 7919) % 251)), damaged],
  ['more than 10 MB', () => Buffer.alloc(10_485_761, 'a'), '422 文件大小不能超过10MB'],
  ['10 MB of quotes', () => Buffer.alloc(10_000_000, '"'), '422 第1行有内容超过2000个字符'],
  ['10 MB of commas', () => Buffer.alloc(10_000_000, ','), '422 表格没有表头'],
  ['five million lines', () => Buffer.alloc(10_000_000, 'a\n'), '422 表格最多10000行'],
  ['one line of two million fields', () => Buffer.alloc(10_000_000, 'abcd,'), '422 表格最多100列'],
  ['a csv cell of 10 MB', () => Buffer.alloc(10_000_000, 'a'), '422 第1行第1列的内容超过2000个字符'],
]

function pngOf(width: number, height: number, pixels: Buffer): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const parts = [chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1A\n', 'latin1'), ...parts])
}

const wrongKind = '422 仅支持 JPG、PNG 格式'
const pictures: Case[] = [
  [
    '30000 × 30000 pixels in a few bytes',
    () => pngOf(30_000, 30_000, deflateSync(Buffer.alloc(1000))),
    '422 图片尺寸过大，请缩小后上传',
  ],
  ['36 million pixels with more behind them', () => pngOf(6000, 6000, deflateSync(hugeZeros, { level: 1 })), 'taken'],
  [
    '2³¹ pixels to a side',
    () => pngOf(0x7f_ff_ff_ff, 0x7f_ff_ff_ff, deflateSync(Buffer.alloc(10))),
    '422 图片已损坏，请更换',
  ],
  [
    'a vector picture',
    () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    wrongKind,
  ],
  ['a page', () => Buffer.from('<!doctype html><script>alert(1)</script>'), wrongKind],
  ['a script that is also a GIF', () => Buffer.from('GIF89a/*\0\0*/=1;alert(1)'), wrongKind],
  [
    'a script behind the first bytes of a JPG',
    () => Buffer.from('\xFF\xD8\xFF\xE0/*<script>alert(1)</script>*/', 'latin1'),
    '422 图片已损坏，请更换',
  ],
  ['an archive called a picture', () => inner, wrongKind],
]

describe.each([
  ['sheet', sheets],
  ['picture', pictures],
] as const)('a %s', (kind, cases) => {
  let seen: Measured[]
  beforeAll(async () => {
    seen = await measure(kind, cases)
  })

  it.each(cases.map(([what, , answer], place) => [what, answer, place] as const))(
    'that is %s is answered with %s within the limits of time and memory',
    (_, answer, place) => {
      expect(seen[place]?.answer).toBe(answer)
      expect(seen[place]?.cpuMs).toBeLessThan(5000)
      expect(seen[place]?.grownMb).toBeLessThan(200)
    },
  )
})
