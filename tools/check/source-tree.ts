import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { root } from './spec-csv.ts'

/** A node of the syntax tree; only its type and place are certain. */
export type Node = { type: string; start: number; end: number } & Record<string, unknown>

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

const trees = new Map<string, Node>()

export function parseText(path: string, text: string): Node {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message ?? 'cannot be parsed'}`)
  return program as unknown as Node
}

/** The tree of a source file, by its path from the root of the project; read once. */
export function parseFile(path: string): Node {
  const tree = trees.get(path) ?? parseText(path, readFileSync(join(root, path), 'utf8'))
  trees.set(path, tree)
  return tree
}

/** Visits a node and its descendants; `visit` returns false to skip the descendants. */
export function walk(node: Node, visit: (node: Node) => boolean | void): void {
  if (visit(node) === false) return
  for (const name in node) {
    const value = node[name]
    if (Array.isArray(value)) {
      for (const one of value) if (isNode(one)) walk(one, visit)
    } else if (isNode(value)) walk(value, visit)
  }
}

export const field = (node: Node | undefined, name: string): Node | undefined => {
  const value = node?.[name]
  return isNode(value) ? value : undefined
}
export const fieldList = (node: Node | undefined, name: string): Node[] => {
  const value = node?.[name]
  return Array.isArray(value) ? value.filter(isNode) : []
}

/** The name of an identifier, a JSX name or a property key; the last part of `a.b`. */
export function nameOf(node: Node | undefined): string {
  if (node === undefined) return ''
  if (typeof node['name'] === 'string') return node['name']
  if (typeof node['value'] === 'string') return node['value']
  return nameOf(field(node, 'property'))
}

/** The text of a template before its first expression. */
export const headOf = (template: Node): string => {
  const head = fieldList(template, 'quasis')[0]?.['value'] as { cooked?: string } | undefined
  return head?.cooked ?? ''
}

/** The text of a literal, of JSX, or of a template without expressions. */
export function textOf(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'].trim()
  if (node.type === 'JSXText' && typeof node['value'] === 'string') return node['value'].replaceAll(/\s+/g, ' ').trim()
  if (node.type !== 'TemplateLiteral' || fieldList(node, 'quasis').length !== 1) return undefined
  return headOf(node).trim()
}

/** Every text below a node. */
export function textsIn(node: Node | undefined): string[] {
  const texts: string[] = []
  if (node !== undefined)
    walk(node, (one) => {
      const text = textOf(one)
      if (text) texts.push(text)
    })
  return texts
}

const wordSets = new WeakMap<Node, Set<string>>()

/** Names, complete texts and numbers of a source, without its comments. */
export function wordsOf(tree: Node): Set<string> {
  const cached = wordSets.get(tree)
  if (cached) return cached
  const words = new Set<string>()
  walk(tree, (node) => {
    if (node.type === 'Identifier' || node.type === 'JSXIdentifier') words.add(nameOf(node))
    if (node.type === 'Literal' && typeof node['value'] === 'number') words.add(String(node['value']))
    const text = textOf(node)
    if (text) words.add(text)
  })
  wordSets.set(tree, words)
  return words
}

export type Imported = { from: string; name: string; local: string }

const importLists = new WeakMap<Node, Imported[]>()

/** Names that a file imports, with their specifier; an import without names has one of ''. */
export function importsOf(tree: Node): Imported[] {
  const cached = importLists.get(tree)
  if (cached) return cached
  const found: Imported[] = []
  importLists.set(tree, found)
  walk(tree, (node) => {
    if (node.type === 'ImportExpression') {
      const from = textOf(field(node, 'source') ?? node)
      if (from !== undefined) found.push({ from, name: '', local: '' })
    }
    if (node.type !== 'ImportDeclaration' && node.type !== 'ExportNamedDeclaration') return
    const source = field(node, 'source')
    if (source === undefined) return
    const names = fieldList(node, 'specifiers').map((one) => ({
      from: nameOf(source),
      name: one.type === 'ImportNamespaceSpecifier' ? '*' : nameOf(field(one, 'imported') ?? field(one, 'local')),
      local: nameOf(field(one, 'local')),
    }))
    found.push(...(names.length > 0 ? names : [{ from: nameOf(source), name: '', local: '' }]))
  })
  return found
}
