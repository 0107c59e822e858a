import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Cell, digitsOf } from './cell.ts'
import { zipped } from './zip-writer.ts'

const maxRows = 1_048_576
const maxCellLength = 32_767
const rowsForWidths = 50
const chunkLength = 32_768
const style = { head: 1, text: 2, number: 3, decimal: 4 }

/**
 * Streams rows into a workbook with one sheet and ends `to`. Backpressure of `to` bounds the rows in memory. A text is an
 * inline string with a quote prefix: it is never evaluated as a formula, not even after an edit.
 */
export async function writeXlsx(
  head: readonly string[],
  rows: AsyncIterable<readonly Cell[]>,
  to: Writable,
): Promise<void> {
  const entries = [
    ...Object.entries(frame).map(([name, text]) => ({ name, content: [text] })),
    { name: 'xl/worksheets/sheet1.xml', content: gathered(sheet(head, rows)) },
  ]
  await pipeline(Readable.from(zipped(entries), { objectMode: false }), to)
}

async function* sheet(head: readonly string[], rows: AsyncIterable<readonly Cell[]>): AsyncGenerator<string> {
  const all = rows[Symbol.asyncIterator]()
  const first: (readonly Cell[])[] = []
  let next = await all.next()
  for (; next.done !== true && first.length < rowsForWidths; next = await all.next()) first.push(next.value)
  yield sheetStart(head, first)
  yield rowXml(1, head, style.head)
  let number = 1
  for (const row of first) yield rowXml(++number, row)
  for (; next.done !== true; next = await all.next()) {
    if (++number > maxRows) throw new Error('a sheet has at most 1048576 rows')
    yield rowXml(number, next.value)
  }
  yield '</sheetData></worksheet>'
}

/** Combines small rows into larger chunks for the archive. */
async function* gathered(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let waiting = ''
  for await (const text of texts) {
    waiting += text
    if (waiting.length < chunkLength) continue
    yield waiting
    waiting = ''
  }
  yield waiting
}

function rowXml(number: number, row: readonly Cell[], textStyle = style.text): string {
  const cells = row.map((cell, place) => cellXml(`${columnName(place)}${number}`, cell, textStyle))
  return `<row r="${number}">${cells.join('')}</row>`
}

function cellXml(at: string, cell: Cell, textStyle: number): string {
  if (cell === null || cell === '') return ''
  if (typeof cell === 'string')
    return `<c r="${at}" s="${textStyle}" t="inlineStr"><is><t xml:space="preserve">${xmlText(cell)}</t></is></c>`
  return `<c r="${at}" s="${typeof cell === 'number' ? style.number : style.decimal}"><v>${digitsOf(cell)}</v></c>`
}

const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;', '\n': '\n', '\t': '\t' }

/** XML does not allow control characters, and a sheet decodes '_x0041_' as a character code. */
const xmlText = (text: string) =>
  text
    .slice(0, maxCellLength)
    .toWellFormed()
    .replaceAll(/[&<>\p{Cc}\uFFFE\uFFFF]/gu, (letter) => named[letter] ?? '\uFFFD')
    .replaceAll(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')

const names: string[] = []
/** 0 is A, 26 is AA. */
function columnName(place: number): string {
  const cached = names[place]
  if (cached !== undefined) return cached
  const above = place < 26 ? '' : columnName(Math.floor(place / 26) - 1)
  return (names[place] = above + String.fromCharCode(65 + (place % 26)))
}

const xmlns = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const xml = (text: string) => `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${text}`

function sheetStart(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const columns = head.map((title, place) => {
    const longest = Math.max(visibleLength(title), ...rows.map((row) => visibleLength(row[place] ?? '')))
    const width = Math.min(50, Math.max(9, longest + 2))
    return `<col min="${place + 1}" max="${place + 1}" width="${width}" customWidth="1"/>`
  })
  return xml(
    `<worksheet xmlns="${xmlns}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft"/></sheetView></sheetViews>` +
      (columns.length > 0 ? `<cols>${columns.join('')}</cols>` : '') +
      '<sheetData>',
  )
}

/** Width in digits; a Chinese character counts as two. */
function visibleLength(cell: Cell): number {
  const text = typeof cell === 'string' ? cell.slice(0, 60) : cell === null ? '' : digitsOf(cell)
  return text.length + (text.match(/[\u2E80-\uFFEF]/g)?.length ?? 0)
}

const frame = {
  '[Content_Types].xml': xml(
    `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/></Types>`,
  ),
  '_rels/.rels': xml(
    `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ),
  'xl/workbook.xml': xml(
    `<workbook xmlns="${xmlns}" xmlns:r="${relations}"><bookViews><workbookView/></bookViews><sheets><sheet name="数据" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ),
  'xl/_rels/workbook.xml.rels': xml(
    `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
  ),
  // In the order of `style`: default, head, text, number, decimal.
  'xl/styles.xml': xml(
    `<styleSheet xmlns="${xmlns}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf/><xf numFmtId="49" fontId="1" applyFont="1" applyNumberFormat="1" quotePrefix="1"/><xf numFmtId="49" applyNumberFormat="1" quotePrefix="1"/><xf/><xf numFmtId="2" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  ),
}
