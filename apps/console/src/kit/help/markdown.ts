import { type Inline, parseInline } from './markdown-inline.ts'

/** The blocks of a text: the part of Markdown that help needs. Everything else, HTML above all, is plain text. */
export type Block =
  | { kind: 'heading'; level: number; children: Inline[] }
  | { kind: 'paragraph'; children: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'list'; list: List }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'rule' }
export type List = { ordered: boolean; start: number; items: ListItem[] }
type ListItem = { children: Inline[]; below: List[] }

const headingLine = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/
const fenceLine = /^ {0,3}(`{3,}|~{3,})/
const quoteLine = /^ {0,3}> ?/
const ruleLine = /^ {0,3}(?:-{3,}|\*{3,}|_{3,})$/
const itemLine = /^( {0,12})(?:[-*+]|(\d{1,6})[.)])[ \t]+(\S.*)$/

/** The parser reads from the top down: the block that begins at a line, and the line where the next one begins. */
type Step = { block: Block; next: number }

export function parseMarkdown(text: string): Block[] {
  return parseBlocks(
    text
      .replaceAll(/\r\n?/g, '\n')
      .replaceAll('\t', '    ')
      .split('\n')
      .map((line) => (line.trim() === '' ? '' : line)),
    false,
  )
}

function parseBlocks(lines: readonly string[], inQuote: boolean): Block[] {
  const blocks: Block[] = []
  for (let at = 0; at < lines.length;) {
    if (lines[at] === '') at++
    else {
      const { block, next } = stepAt(lines, at, inQuote)
      blocks.push(block)
      at = next
    }
  }
  return blocks
}

const stepAt = (lines: readonly string[], at: number, inQuote: boolean): Step =>
  headingAt(lines, at, inQuote) ??
  codeAt(lines, at) ??
  ruleAt(lines, at) ??
  quoteAt(lines, at, inQuote) ??
  listAt(lines, at) ??
  tableAt(lines, at) ??
  paragraphAt(lines, at, inQuote)

/** A heading in a quote becomes a strong line, because it does not belong to the outline around it. */
function headingAt(lines: readonly string[], at: number, inQuote: boolean): Step | undefined {
  const match = headingLine.exec(lines[at] ?? '')
  if (!match) return undefined
  const [, marks = '', words = ''] = match
  const children = parseInline(words.trimEnd())
  const block: Block = inQuote
    ? { kind: 'paragraph', children: [{ kind: 'strong', children }] }
    : { kind: 'heading', level: marks.length, children }
  return { block, next: at + 1 }
}

/** Without its closing line the code extends to the end. */
function codeAt(lines: readonly string[], at: number): Step | undefined {
  const fence = fenceLine.exec(lines[at] ?? '')?.[1]
  if (fence === undefined) return undefined
  const end = lines.findIndex((line, place) => place > at && line.trim().startsWith(fence))
  const last = end === -1 ? lines.length : end
  return { block: { kind: 'code', text: lines.slice(at + 1, last).join('\n') }, next: last + 1 }
}

const ruleAt = (lines: readonly string[], at: number): Step | undefined =>
  ruleLine.test(lines[at]?.trimEnd() ?? '') ? { block: { kind: 'rule' }, next: at + 1 } : undefined

/** A quote within a quote is text, so that the nesting is limited. */
function quoteAt(lines: readonly string[], at: number, inQuote: boolean): Step | undefined {
  if (inQuote || !quoteLine.test(lines[at] ?? '')) return undefined
  const rest = lines.slice(at).findIndex((line) => !quoteLine.test(line))
  const next = rest === -1 ? lines.length : at + rest
  const inner = lines.slice(at, next).map((line) => line.replace(quoteLine, ''))
  return { block: { kind: 'quote', blocks: parseBlocks(inner, true) }, next }
}

type Item = { indent: number; number: string | undefined; words: string }

function itemAt(lines: readonly string[], at: number): Item | undefined {
  const match = ruleLine.test(lines[at]?.trimEnd() ?? '') ? null : itemLine.exec(lines[at] ?? '')
  return match ? { indent: match[1]?.length ?? 0, number: match[2], words: match[3] ?? '' } : undefined
}

/** Items of two levels. A line that starts no other block continues the item before it. */
function listAt(lines: readonly string[], at: number): Step | undefined {
  const first = itemAt(lines, at)
  if (!first) return undefined
  const items: (Item & { nested: boolean })[] = []
  let place = at
  while (place < lines.length) {
    const item = itemAt(lines, place)
    if (item) {
      const nested = items.length > 0 && item.indent >= first.indent + 2
      if (!nested && (item.number === undefined) !== (first.number === undefined)) break
      items.push({ ...item, nested })
    } else if (lines[place] === '') {
      if (!itemAt(lines, place + 1)) break
    } else {
      const last = items.at(-1)
      if (!last || startsBlock(lines, place)) break
      last.words += `\n${lines[place]?.trim()}`
    }
    place++
  }
  return { block: { kind: 'list', list: listOf(items) }, next: place }
}

function listOf(flat: readonly (Item & { nested: boolean })[]): List {
  const items: ListItem[] = []
  let below: Item[] = []
  const close = () => {
    const last = items.at(-1)
    if (last && below.length > 0) last.below = listsOf(below)
    below = []
  }
  for (const item of flat) {
    if (item.nested) below.push(item)
    else {
      close()
      items.push({ children: parseInline(item.words), below: [] })
    }
  }
  close()
  return { ...headOf(flat[0]), items }
}

const headOf = (first: Item | undefined) => ({
  ordered: first?.number !== undefined,
  start: Number(first?.number ?? 1),
})

/** A change between bullets and numbers begins another list. */
function listsOf(items: readonly Item[]): List[] {
  const lists: List[] = []
  for (const item of items) {
    const head = headOf(item)
    const last = lists.at(-1)
    const list = last?.ordered === head.ordered ? last : { ...head, items: [] }
    if (list !== last) lists.push(list)
    list.items.push({ children: parseInline(item.words), below: [] })
  }
  return lists
}

/** The cells between bars; an escaped bar is text. */
function cellsOf(line: string): string[] {
  const inner = line.trim().replace(/^\|/, '')
  const cells = inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll(String.raw`\|`, '|'))
  return cells.at(-1) === '' ? cells.slice(0, -1) : cells
}

const isTable = (lines: readonly string[], at: number) => {
  const [head = '', marks = ''] = [lines[at], lines[at + 1]]
  if (!head.includes('|') || !marks.includes('-') || !marks.includes('|')) return false
  const cells = cellsOf(marks)
  return cells.every((cell) => /^:?-+:?$/.test(cell)) && cells.length === cellsOf(head).length
}

function tableAt(lines: readonly string[], at: number): Step | undefined {
  if (!isTable(lines, at)) return undefined
  const head = cellsOf(lines[at] ?? '').map((cell) => parseInline(cell))
  const rest = lines.slice(at + 2).findIndex((line) => !line.includes('|'))
  const next = rest === -1 ? lines.length : at + 2 + rest
  const rows = lines.slice(at + 2, next).map((line) => {
    const cells = cellsOf(line)
    return head.map((_, place) => parseInline(cells[place] ?? ''))
  })
  return { block: { kind: 'table', head, rows }, next }
}

const startsBlock = (lines: readonly string[], at: number, inQuote = false) => {
  const line = lines[at] ?? ''
  return (
    headingLine.test(line) ||
    fenceLine.test(line) ||
    ruleLine.test(line.trimEnd()) ||
    (!inQuote && quoteLine.test(line)) ||
    itemAt(lines, at) !== undefined ||
    isTable(lines, at)
  )
}

function paragraphAt(lines: readonly string[], at: number, inQuote: boolean): Step {
  let next = at + 1
  while (next < lines.length && lines[next] !== '' && !startsBlock(lines, next, inQuote)) next++
  const words = lines.slice(at, next).map((line) => line.trimStart())
  return { block: { kind: 'paragraph', children: parseInline(words.join('\n').trimEnd()) }, next }
}
