import { Grid, type Sheet } from './grid.ts'
import { damaged, limits, SheetProblem, tooMuch } from './sheet-limits.ts'
import { dateText, isDateFormat, numberText, plainText } from './xlsx-values.ts'
import { type Attributes, type Listener, readXml } from './xml-reader.ts'
import { Zip } from './zip-reader.ts'

// Limits of the format, which also apply to empty cells.
const lastRow = 1_048_576
const lastColumn = 16_383

/** Reads the first sheet of a workbook as text. A formula is read as its cached value. */
export async function readXlsx(bytes: Buffer): Promise<Sheet> {
  const zip = new Zip(bytes)
  const book = await readBook(zip)
  const context: Context = {
    texts: await readSharedTexts(zip),
    isDate: await readDateStyles(zip),
    startsIn1904: book.startsIn1904,
  }
  const grid = new Grid()
  await readXml(zip.unpack(book.sheet), sheetListener(grid, context))
  return grid.finish()
}

type Context = { texts: string[]; isDate: boolean[]; startsIn1904: boolean }

async function readBook(zip: Zip): Promise<{ sheet: string; startsIn1904: boolean }> {
  let relation = ''
  let startsIn1904 = false
  await readXml(zip.unpack('xl/workbook.xml'), {
    open: (name, attributes) => {
      if (name === 'sheet' && relation === '') relation = attributes['r:id'] ?? idOf(attributes)
      if (name === 'workbookPr') startsIn1904 = /^(?:1|true)$/.test(attributes['date1904'] ?? '')
    },
  })
  let target = ''
  await readXml(zip.unpack('xl/_rels/workbook.xml.rels'), {
    open: (name, attributes) => {
      if (name === 'Relationship' && attributes['Id'] === relation && attributes['TargetMode'] !== 'External')
        target = attributes['Target'] ?? ''
    },
  })
  const sheet = target.startsWith('/') ? target.slice(1) : `xl/${target}`
  if (target === '' || !zip.has(sheet)) throw damaged()
  return { sheet, startsIn1904 }
}

/** The namespace of relations may have a prefix other than r. */
const idOf = (attributes: Attributes) => Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? ''

async function readSharedTexts(zip: Zip): Promise<string[]> {
  const name = 'xl/sharedStrings.xml'
  const texts: string[] = []
  if (!zip.has(name)) return texts
  let characters = 0
  await readXml(
    zip.unpack(name),
    textListener('si', (text) => {
      characters += text.length
      if (texts.push(text) > limits.sharedTexts || characters > limits.characters) throw tooMuch()
    }),
  )
  return texts
}

/** Joins the texts of <t> elements, including several runs, but without phonetic texts (rPh). */
function textListener(holder: string, done: (text: string) => void): Listener {
  let text = ''
  let inText = false
  let inAid = false
  return {
    open: (name) => {
      if (name === holder) text = ''
      if (name === 'rPh') inAid = true
      inText = name === 't' && !inAid
    },
    close: (name) => {
      if (name === 'rPh') inAid = false
      if (name === 't') inText = false
      if (name === holder) done(plainText(text))
    },
    text: (piece) => {
      // One character beyond the limit is enough for the later refusal of the cell.
      if (inText && text.length <= limits.cellLength) text += piece.slice(0, limits.cellLength + 1)
    },
  }
}

/** By cell style: whether it formats numbers as dates. */
async function readDateStyles(zip: Zip): Promise<boolean[]> {
  const name = 'xl/styles.xml'
  const isDate: boolean[] = []
  if (!zip.has(name)) return isDate
  const codes = new Map<number, string>()
  let inCells = false
  await readXml(zip.unpack(name), {
    open: (tag, attributes) => {
      if (tag === 'numFmt') codes.set(Number(attributes['numFmtId']), (attributes['formatCode'] ?? '').slice(0, 255))
      if (tag === 'cellXfs') inCells = true
      if (tag !== 'xf' || !inCells) return
      const id = Number(attributes['numFmtId'] ?? 0)
      if (isDate.push(isDateFormat(id, codes.get(id))) > 65_536) throw damaged()
    },
    close: (tag) => {
      if (tag === 'cellXfs') inCells = false
    },
  })
  return isDate
}

function sheetListener(grid: Grid, context: Context): Listener {
  let row = 0
  let column = -1
  let cell: Attributes = {}
  let value = ''
  let inValue = false
  const inline = textListener('is', (text) => (value = text))
  return {
    open: (name, attributes) => {
      inline.open?.(name, attributes)
      inValue = name === 'v'
      if (name === 'row') {
        row = attributes['r'] === undefined ? row + 1 : rowNumber(attributes['r'])
        column = -1
      } else if (name === 'c') {
        cell = attributes
        value = ''
        column = attributes['r'] === undefined ? column + 1 : columnNumber(attributes['r'])
      }
      if (row > lastRow || column > lastColumn) throw damaged()
    },
    close: (name) => {
      inline.close?.(name)
      if (name === 'v') inValue = false
      if (name === 'c') grid.set(row, column, cellText(cell, value, context))
    },
    text: (piece) => {
      inline.text?.(piece)
      if (inValue && value.length <= limits.cellLength) value += piece.slice(0, limits.cellLength + 1)
    },
  }
}

function cellText({ t: type = 'n', s: style = '' }: Attributes, value: string, context: Context): string {
  if (type === 's') {
    if (value === '') return ''
    const text = context.texts[Number(value)]
    if (text === undefined) throw damaged()
    return text
  }
  if (type === 'inlineStr') return value
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type !== 'n') return plainText(value) // text of a formula, an error or an ISO date
  return context.isDate[Number(style)] === true ? dateText(value, context.startsIn1904) : numberText(value)
}

function rowNumber(reference: string): number {
  if (!/^[1-9]\d{0,6}$/.test(reference)) throw damaged()
  return Number(reference)
}

/** 'AB12' is column 27, counted from 0. */
function columnNumber(reference: string): number {
  const letters = /^([A-Z]{1,3})\d+$/.exec(reference)?.[1]
  if (letters === undefined) throw damaged()
  let number = 0
  for (let place = 0; place < letters.length; place++) number = number * 26 + letters.charCodeAt(place) - 64
  return number - 1
}

/** Refuses old and password-protected workbooks, which are OLE files, with a specific message. */
export function refuseOldBook(bytes: Buffer): void {
  if (bytes.toString('latin1', 0, 4) === '\xD0\xCF\x11\xE0')
    throw new SheetProblem('不支持旧版 xls 或加密的表格，请另存为 xlsx 后上传')
}
