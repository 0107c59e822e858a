import { PassThrough, Writable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { neutralText } from '@wattdeck/domain/sheet-text.ts'
import fc from 'fast-check'
import readExcelFile from 'read-excel-file/node'
import { describe, expect, it } from 'vitest'
import { formulaPayloads } from '../../../../test/every/formula-payloads.ts'
import { inSheet, rawBook, type RawEntry } from '../../../../test/harness/raw-zip.ts'
import type { Cell } from './cell.ts'
import { readCsv } from './csv-reader.ts'
import { readSheet } from './read-sheet.ts'
import { writeCsv } from './write-csv.ts'
import { writeXlsx } from './write-xlsx.ts'
import { readXlsx } from './xlsx-reader.ts'
import { Zip } from './zip-reader.ts'

async function* from(rows: Iterable<Cell[]>): AsyncGenerator<Cell[]> {
  yield* rows
}
async function written(write: typeof writeXlsx, head: string[], rows: Iterable<Cell[]>): Promise<Buffer> {
  const to = new PassThrough()
  const [bytes] = await Promise.all([buffer(to), write(head, from(rows), to)])
  return bytes
}
const sheetXml = (book: Buffer) => text(new Zip(book).unpack('xl/worksheets/sheet1.xml'))
const read = (sheet: string, others: RawEntry[] = []) => readXlsx(rawBook(inSheet(sheet), others))
const headed = (cells: string) => `<row><c t="str"><v>头</v></c></row><row>${cells}</row>`
const firstRow = async (cells: string, others?: RawEntry[]) => (await read(headed(cells), others)).rows[0]

const anyText = fc.string({ unit: 'grapheme', maxLength: 50 })

describe('two hundred formulas', () => {
  const rows = formulaPayloads.map((payload) => [payload])

  it('are plain texts in a workbook, for another reader and for readSheet', async () => {
    expect(formulaPayloads).toHaveLength(200)
    const book = await written(writeXlsx, ['=公式()'], rows)
    const xml = await sheetXml(book)
    expect(xml).not.toMatch(/<f[\s>/]/)
    expect(xml.match(/t="inlineStr"/g)).toHaveLength(201)
    expect(xml.match(/<c /g)).toHaveLength(201)
    const [sheet] = await readExcelFile(book, { trim: false })
    expect(sheet?.data.map(([cell]) => cell)).toEqual(['=公式()', ...formulaPayloads])
    expect(await readSheet(book)).toEqual({ head: ['=公式()'], rows })
  })

  it('are neutralised in a csv file, and restored when it is read', async () => {
    const file = await written(writeCsv, ['=公式()'], rows)
    const fields = [
      ...file
        .toString()
        .slice(1)
        .matchAll(/"((?:[^"]|"")*)"\r\n/g),
    ].map(([, field = '']) => field.replaceAll('""', '"'))
    expect(fields).toHaveLength(201)
    for (const field of fields) expect(neutralText(field)).toBe(field)
    expect(await readSheet(file)).toEqual({ head: ['=公式()'], rows })
  })
})

describe('a workbook', () => {
  const head = ['订单号', '数量', '金额', '备注']
  const rows: Cell[][] = [
    ['20261115000000000001', 3, { decimal: '12.30' }, '第一行\n第二行 <&> "引号"'],
    ['_x0041_', -1.5, { decimal: '-0.01' }, null],
  ]

  it('has numbers as numbers, amounts to the fen and everything else as text', async () => {
    const book = await written(writeXlsx, head, rows)
    const [sheet] = await readExcelFile(book)
    expect(sheet?.data.slice(0, 2)).toEqual([head, ['20261115000000000001', 3, 12.3, '第一行\n第二行 <&> "引号"']])
    expect(await sheetXml(book)).toContain('<v>12.30</v>')
    expect((await readSheet(book)).rows[1]).toEqual(['_x0041_', '-1.5', '-0.01', ''])
  })

  it('has a frozen header row, columns fitted to their content, and texts that remain texts when edited', async () => {
    const book = await written(writeXlsx, ['序', '充电站名称与地址'], [[1, '浙江省杭州市']])
    expect(await sheetXml(book)).toMatch(
      /<pane ySplit="1".*state="frozen"\/>.*<col min="1" max="1" width="9".*<col min="2" max="2" width="18"/s,
    )
    const styles = await text(new Zip(book).unpack('xl/styles.xml'))
    expect(styles.match(/quotePrefix="1"/g)).toHaveLength(2)
    expect(styles).toContain('<b/>')
  })

  it('rejects a text in place of a number', async () => {
    await expect(written(writeXlsx, ['a'], [[{ decimal: '1</v><f>1+1</f>' }]])).rejects.toThrow('is not a number')
    await expect(written(writeCsv, ['a'], [[Number.NaN]])).rejects.toThrow('is not a number')
  })

  it('of any text is read as it was written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(anyText, { minLength: 1, maxLength: 4 }), { maxLength: 5 }), async (cells) => {
        const legal = cells.map((row) => row.map((cell) => cell.replaceAll(/[^\P{Cc}\t\r\n]|[\uFFFE\uFFFF]/gu, '')))
        const { rows: seen } = await readXlsx(await written(writeXlsx, ['头'], legal))
        expect(seen.map((row) => row.join('|'))).toEqual(withoutEmptyEnd(legal).map((row) => row.join('|')))
      }),
      { numRuns: 50 },
    )
  })
})

/** Empty rows and cells at the end of a sheet cannot be detected. */
function withoutEmptyEnd(rows: string[][]): string[][] {
  const trimmed = rows.map((row) => row.slice(0, Math.max(1, row.findLastIndex((cell) => cell !== '') + 1)))
  return trimmed.slice(0, trimmed.findLastIndex((row) => row.some((cell) => cell !== '')) + 1)
}

describe('a csv file', () => {
  it('of any text is read as it was written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(anyText, { minLength: 1, maxLength: 4 }), { maxLength: 5 }), async (cells) => {
        const legal = cells.map((row) => row.map((cell) => cell.replaceAll(/[^\P{Cc}\t\r\n]|^'/gu, '')))
        const { rows } = readCsv(await written(writeCsv, ['头,"'], legal))
        expect(rows.map((row) => row.join('|'))).toEqual(withoutEmptyEnd(legal).map((row) => row.join('|')))
      }),
      { numRuns: 100 },
    )
  })

  it.each<[string, Buffer]>([
    ['UTF-8', Buffer.from('名称,数量\n充电站,"1,5"\n')],
    ['UTF-8 with a mark', Buffer.from('\uFEFF名称,数量\r\n充电站,"1,5"')],
    ['GB18030', Buffer.from('c3fbb3c62ccafdc1bf0d0ab3e4b5e7d5be2c22312c35220d0a', 'hex')],
    ['semicolons', Buffer.from('名称;数量\r充电站;1,5\r')],
    ['tabs', Buffer.from('名称\t数量\n充电站\t1,5')],
  ])('in %s is read', async (_, bytes) => {
    expect(await readSheet(bytes)).toEqual({ head: ['名称', '数量'], rows: [['充电站', '1,5']] })
  })

  it('with an unterminated quote is rejected with the number of its row', () => {
    expect(() => readCsv(Buffer.from('a,b\nc,"d'))).toThrow('第2行的引号没有结束')
  })
})

describe('a workbook of another program', () => {
  it('may have shared texts in runs; phonetic texts are ignored', async () => {
    const texts =
      '<sst><si><t>一</t></si><si><r><t>二</t></r><r><t xml:space="preserve"> 三</t></r><rPh><t>er</t></rPh></si></sst>'
    const shared = [{ name: 'xl/sharedStrings.xml', content: texts }]
    expect(await firstRow('<c t="s"><v>0</v></c><c t="s"><v>1</v></c>', shared)).toEqual(['一', '二 三'])
    await expect(firstRow('<c t="s"><v>2</v></c>', shared)).rejects.toThrow('文件已损坏')
  })

  it.each([
    ['<c><v>13800138000</v></c>', '13800138000'],
    ['<c><v>1.3800138E10</v></c>', '13800138000'],
    ['<c><v>0.30000000000000004</v></c>', '0.3'],
    ['<c><v>-12.50</v></c>', '-12.5'],
    ['<c><v>1E-7</v></c>', '0.0000001'],
    ['<c><v>89860012345678901234</v></c>', '89860012345678901234'],
    ['<c t="b"><v>1</v></c>', 'TRUE'],
    ['<c t="e"><v>#N/A</v></c>', '#N/A'],
    ['<c t="str"><f>A1&amp;"x"</f><v>算出的值</v></c>', '算出的值'],
    ['<c><f>1+1</f><v>2</v></c>', '2'],
    ['<c t="inlineStr"><is><t>a_x000D_b</t></is></c>', 'a\rb'],
    ['<c t="str"><v><![CDATA[<b>]]></v></c>', '<b>'],
  ])('with the cell %s is read as %j', async (cell, expected) => {
    expect(await firstRow(cell)).toEqual([expected])
  })

  it('returns days and times in the Chinese format', async () => {
    const styles = {
      name: 'xl/styles.xml',
      content:
        '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot;"/><numFmt numFmtId="165" formatCode="[Red]0.00&quot;元/天&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="21"/></cellXfs></styleSheet>',
    }
    const cells =
      '<c s="1"><v>46341</v></c><c s="2"><v>46341.520833333336</v></c><c s="3"><v>46341</v></c><c s="4"><v>46341</v></c><c s="5"><v>0.75</v></c><c><v>46341</v></c><c s="1"><v>1</v></c>'
    expect(await firstRow(cells, [styles])).toEqual([
      '2026-11-15',
      '2026-11-15 12:30:00',
      '2026-11-15',
      '46341',
      '18:00:00',
      '46341',
      '1900-01-01',
    ])
  })

  it('may omit rows and cells, number them or use prefixes; each cell keeps its position', async () => {
    const sheet =
      '<x:worksheet xmlns:x="y"><x:sheetData><x:row r="1"><x:c r="A1" t="str"><x:v>a</x:v></x:c><x:c r="C1" t="str"><x:v>c</x:v></x:c></x:row><x:row r="4"><x:c r="B4"><x:v>1</x:v></x:c></x:row><x:row r="900000"><x:c r="XFD900000" s="1"/></x:row></x:sheetData></x:worksheet>'
    expect(await readXlsx(rawBook(sheet))).toEqual({
      head: ['a', '', 'c'],
      rows: [
        ['', '', ''],
        ['', '', ''],
        ['', '1', ''],
      ],
    })
  })
})

describe('a sheet at its limits', () => {
  it('is read with ten thousand rows, a hundred columns or cells of two thousand characters', async () => {
    const long = '长'.repeat(2000)
    const head = Array.from({ length: 100 }, (_, place) => `列${place}`)
    const many = await written(
      writeXlsx,
      ['a'],
      Array.from({ length: 10_000 }, (_, place) => [place]),
    )
    expect((await readSheet(many)).rows).toHaveLength(10_000)
    const wide = await written(writeXlsx, head, [[...head.slice(1), long]])
    expect((await readSheet(wide)).rows[0]?.[99]).toBe(long)
    const over = await written(writeCsv, [...head, '多'], [])
    await expect(readSheet(over)).rejects.toThrow('表格最多100列')
    await expect(readSheet(await written(writeCsv, ['a'], [[`${long}长`]]))).rejects.toThrow(
      '第2行第1列的内容超过2000个字符',
    )
  })

  it('is read two at once with a queue of eight; further sheets are refused with 503', async () => {
    const bytes = await written(
      writeXlsx,
      ['a'],
      Array.from({ length: 2000 }, (_, place) => [place]),
    )
    const all = await Promise.allSettled(Array.from({ length: 14 }, () => readSheet(bytes)))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    const refused = all.filter((one) => one.status === 'rejected').map(({ reason }) => reason as { status: number })
    expect(refused.map(({ status }) => status)).toEqual([503, 503, 503, 503])
  })
})

describe('a hundred thousand rows', () => {
  function* orders(count: number): Generator<Cell[]> {
    for (let place = 0; place < count; place++)
      yield [
        `订单${place}`,
        place,
        { decimal: '12.30' },
        '2026-11-15 12:00:00',
        '绿行充电（杭州）',
        '13800138000',
        '已完成',
        null,
      ]
  }
  const head = ['订单号', '序号', '金额', '时间', '机构', '手机号', '状态', '备注']

  it.each([
    ['workbook', writeXlsx],
    ['csv file', writeCsv],
  ] as const)('stream into a %s with bounded memory', async (_, write) => {
    const before = process.memoryUsage.rss()
    let highest = before
    let bytes = 0
    const to = new Writable({
      write(chunk: Buffer, _encoding, done) {
        bytes += chunk.length
        highest = Math.max(highest, process.memoryUsage.rss())
        done()
      },
    })
    await write(head, from(orders(100_000)), to)
    expect(bytes).toBeGreaterThan(2_000_000)
    expect((highest - before) / 1024 ** 2).toBeLessThan(100)
  })

  it('are requested only as fast as the output is consumed (backpressure)', async () => {
    let requestedRows = 0
    async function* counted(): AsyncGenerator<Cell[]> {
      for (const row of orders(100_000)) {
        requestedRows++
        yield row
      }
    }
    const stuck = new Writable({ highWaterMark: 1024, write: () => undefined })
    const writing = writeXlsx(head, counted(), stuck)
    // Meanwhile the same rows are written completely to another output.
    await written(writeXlsx, head, orders(100_000))
    expect(requestedRows).toBeLessThan(60_000)
    const seen = requestedRows
    await written(writeXlsx, head, orders(100_000))
    expect(requestedRows).toBe(seen)
    stuck.destroy(new Error('the reader has gone'))
    await expect(writing).rejects.toThrow('the reader has gone')
  })

  it('can be read by another program', async () => {
    const [sheet] = await readExcelFile(await written(writeXlsx, head, orders(5000)))
    expect(sheet?.data).toHaveLength(5001)
    expect(sheet?.data.at(-1)).toEqual([
      '订单4999',
      4999,
      12.3,
      '2026-11-15 12:00:00',
      '绿行充电（杭州）',
      '13800138000',
      '已完成',
      null,
    ])
  })

  it('that fail halfway make the whole file fail', async () => {
    async function* failing(): AsyncGenerator<Cell[]> {
      yield ['a']
      throw new Error('the database has gone')
    }
    const to = new PassThrough()
    to.resume()
    await expect(writeXlsx(['a'], failing(), to)).rejects.toThrow('the database has gone')
    expect(to.destroyed).toBe(true)
  })
})
