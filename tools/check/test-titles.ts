import { fieldList, parseFile, nameOf, field, type Node, textOf, walk } from './source-tree.ts'

const declarers = new Set(['describe', 'it', 'test'])

/** The function behind a call of `it`, `it.skipIf(…)` or `it.each(…)`; '' for a skipped test, which covers nothing. */
function declarerOf(callee: Node | undefined): string {
  if (callee === undefined) return ''
  if (callee.type === 'CallExpression') return declarerOf(field(callee, 'callee'))
  if (callee.type === 'TaggedTemplateExpression') return declarerOf(field(callee, 'tag'))
  if (callee.type !== 'MemberExpression') return nameOf(callee)
  return ['skip', 'todo'].includes(nameOf(field(callee, 'property'))) ? '' : declarerOf(field(callee, 'object'))
}

/** Titles of the tests and groups of a file, without the ids in brackets at their head. */
export function testTitles(file: string, parse: (file: string) => Node = parseFile): Set<string> {
  const titles = new Set<string>()
  walk(parse(file), (node) => {
    if (node.type !== 'CallExpression' || !declarers.has(declarerOf(field(node, 'callee')))) return
    const [first] = fieldList(node, 'arguments')
    const title = first === undefined ? undefined : textOf(first)
    if (title !== undefined) titles.add(title.replace(/^(?:\[[^\]]+\]\s*)+/, ''))
  })
  return titles
}
