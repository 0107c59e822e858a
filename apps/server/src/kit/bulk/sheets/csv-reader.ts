import { originalText } from '@wattdeck/domain/sheet-text.ts'
import { Grid, type Sheet } from './grid.ts'
import { damaged, limits, SheetProblem } from './sheet-limits.ts'

/** Reads a CSV file in UTF-8, or in GB18030 as Chinese Excel saves it, with commas, semicolons or tabs. */
export function readCsv(bytes: Buffer): Sheet {
  const text = decoded(bytes)
  // Rejects markup and binary files, whatever their names.
  if (/^\s*</.test(text) || /[^\P{Cc}\t\r\n]/u.test(text)) throw damaged()
  const grid = new Grid()
  readFields(text, separatorOf(text), (row, column, field) => grid.set(row, column, originalText(field)))
  return grid.finish()
}

function decoded(bytes: Buffer): string {
  for (const encoding of ['utf-8', 'gb18030']) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes)
    } catch {
      // try the next encoding
    }
  }
  throw damaged()
}

/** The most frequent separator of the first line. */
function separatorOf(text: string): string {
  const first =
    text
      .slice(0, 10_000)
      .split(/[\r\n]/, 1)[0]
      ?.replaceAll(/"[^"]*"/g, '') ?? ''
  const count = (separator: string) => first.split(separator).length
  return [',', ';', '\t'].reduce((best, separator) => (count(separator) > count(best) ? separator : best))
}

type OnField = (row: number, column: number, field: string) => void

function readFields(text: string, separator: string, onField: OnField): void {
  let [row, column, at] = [1, 0, 0]
  while (at < text.length) {
    const quoted = text[at] === '"' ? quotedField(text, at, row) : undefined
    const end = endOfField(text, quoted?.end ?? at, separator)
    onField(row, column, (quoted?.value ?? '') + text.slice(quoted?.end ?? at, end))
    at = end + 1
    if (text[end] === separator) column++
    else {
      if (text[end] === '\r' && text[at] === '\n') at++
      row++
      column = 0
    }
  }
}

function endOfField(text: string, from: number, separator: string): number {
  let at = from
  while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at++
  return at
}

/** Reads from a quote to the next unescaped quote. */
function quotedField(text: string, from: number, row: number): { value: string; end: number } {
  for (let at = from + 1; ; at += 2) {
    at = text.indexOf('"', at)
    if (at === -1) throw new SheetProblem(`第${row}行的引号没有结束`)
    if (at - from > 2 * limits.cellLength + 2) throw new SheetProblem(`第${row}行有内容超过${limits.cellLength}个字符`)
    if (text[at + 1] !== '"') return { value: text.slice(from + 1, at).replaceAll('""', '"'), end: at + 1 }
  }
}
