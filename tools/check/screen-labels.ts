import { existsSync, globSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { root } from './spec-csv.ts'
import {
  field,
  fieldList,
  importsOf,
  nameOf,
  type Node,
  parseFile,
  textOf,
  textsIn,
  walk,
  wordsOf,
} from './source-tree.ts'

/** The parts of a screen that the specification lists. */
export type Part = 'column' | 'filter' | 'action'
/**
 * `text` contains every other text, `input` the labels of form fields: columns and filters of a page that is no list.
 */
export type Labels = Record<Part | 'text' | 'input', Set<string>>

const featureSource = 'apps/console/src/features'
const filterKinds = new Set(['text', 'select', 'dates', 'region', 'owner'])
const hasChinese = (text: string) => /[\u4E00-\u9FFF]|^[A-Z]/.test(text)
const newLabels = (): Labels => ({
  column: new Set(),
  filter: new Set(),
  action: new Set(),
  text: new Set(),
  input: new Set(),
})

/** Parts of the kit that add labels to the page that uses them. */
const kitLabels = new Map<string, { part: Part; texts: readonly string[] }>([
  ['toggleOf', { part: 'action', texts: ['启用', '停用'] }],
  ['ownerColumns', { part: 'column', texts: ['所属机构', '所属代理商', '所属站点'] }],
  ['auditColumns', { part: 'column', texts: ['创建人', '创建时间', '更新时间'] }],
  ['ImportWizard', { part: 'action', texts: ['导入'] }],
  ['ExportButton', { part: 'action', texts: ['导出'] }],
])

const propertiesOf = (node: Node) =>
  new Map(fieldList(node, 'properties').map((one) => [nameOf(field(one, 'key')), field(one, 'value')]))

const labelSets = new WeakMap<Node, Labels>()

/** Labels of one file by their part. */
export function labelsOfTree(tree: Node): Labels {
  const labels = labelSets.get(tree) ?? newLabels()
  if (labelSets.has(tree)) return labels
  labelSets.set(tree, labels)
  const add = (part: keyof Labels, texts: readonly string[]) =>
    texts.filter(hasChinese).forEach((text) => labels[part].add(text))
  walk(tree, (node) => {
    if (node.type === 'ObjectExpression') {
      const own = propertiesOf(node)
      const kind = own.get('kind')
      const label = own.get('label')
      if (kind && filterKinds.has(textOf(kind) ?? '')) {
        add('filter', textOf(kind) === 'owner' ? ['归属'] : textsIn(label))
        return false
      }
      if (own.has('title') && (own.has('render') || own.has('width'))) add('column', textsIn(own.get('title')))
      if (label && (own.has('onClick') || own.has('route'))) add('action', textsIn(label))
      if (own.has('okText')) add('action', textsIn(own.get('okText')))
    }
    if (node.type === 'JSXElement') addElement(node, add)
    if (node.type === 'JSXAttribute') {
      const name = nameOf(field(node, 'name'))
      if (name === 'okText') add('action', textsIn(field(node, 'value')))
      if (/^(placeholder|label|aria-label)$/.test(name)) add('input', textsIn(field(node, 'value')))
      if (name === 'exporting') add('action', ['导出'])
    }
    if (node.type === 'Identifier' || node.type === 'JSXIdentifier') {
      const kit = kitLabels.get(nameOf(node))
      if (kit) add(kit.part, kit.texts)
    }
    const text = textOf(node)
    if (text) add('text', [text])
    return true
  })
  return labels
}

/** The text of a button, or its accessible name. */
function addElement(node: Node, add: (part: Part, texts: readonly string[]) => void): void {
  const opening = field(node, 'openingElement')
  if (!/Button$|^Link$|^a$/.test(nameOf(field(opening, 'name')))) return
  fieldList(node, 'children').forEach((child) => add('action', textsIn(child)))
  for (const attribute of fieldList(opening, 'attributes'))
    if (/^(label|aria-label)$/.test(nameOf(field(attribute, 'name')))) add('action', textsIn(field(attribute, 'value')))
}

const pageFolders = new Set(globSync(`${featureSource}/**/*.page.tsx`, { cwd: root }).map((file) => dirname(file)))

/** A folder without a page is shared by the pages that import it. */
function belongsTo(page: string, file: string): boolean {
  if (!file.startsWith(featureSource)) return false
  if (file.endsWith('.page.tsx')) return file === page
  return dirname(file) === dirname(page) || !pageFolders.has(dirname(file))
}

/** The page and the console files that it consists of. */
function filesOf(page: string): string[] {
  const found = new Set([page])
  for (const file of found)
    for (const { from } of importsOf(parseFile(file))) {
      if (!from.startsWith('.')) continue
      const path = normalize(join(dirname(file), from))
      if (/\.tsx?$/.test(path) && existsSync(join(root, path)) && belongsTo(page, path)) found.add(path)
    }
  return [...found]
}

type Declared = { title: string; kind: string }
type Spec = {
  fields: Record<string, Declared>
  filter: {
    keyword?: { label: string }
    own?: Record<string, { title?: string }>
    exact?: string[]
    days?: string
    owner?: unknown
    region?: string
  }
  exports?: boolean
  noun?: string
}
const isSpec = (value: unknown): value is Spec =>
  typeof value === 'object' && value !== null && 'fields' in value && 'filter' in value

/** Labels derived from a list of `defineList` or `defineCrud`. */
export function labelsOfSpec({ fields, filter, exports: exportsFile, noun }: Spec): Labels {
  const titles = Object.values(fields).flatMap(({ title, kind }) => (kind === 'data' ? [] : [title]))
  const titleOf = (name: string) => fields[name]?.title ?? name
  const filters = [
    ...(filter.keyword ? [filter.keyword.label] : []),
    ...Object.values(filter.own ?? {}).flatMap(({ title }) => (title === undefined ? [] : [title])),
    ...(filter.exact ?? []).map(titleOf),
    ...(filter.days === undefined ? [] : [titleOf(filter.days)]),
    ...(filter.owner === undefined ? [] : ['归属']),
    ...(filter.region === undefined ? [] : [filter.region]),
  ]
  const actions = [
    ...(exportsFile === true ? ['导出'] : []),
    ...(noun === undefined ? [] : [`新增${noun}`, '编辑', '启用', '停用', '删除']),
  ]
  return { ...newLabels(), column: new Set(titles), filter: new Set(filters), action: new Set(actions) }
}

/** Titles by field of a table of the contract; they count where a file of the page names the field. */
function titlesOf(value: unknown, namedFields: ReadonlySet<string>): string[] {
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return []
  return Object.entries(value).flatMap(([name, title]) =>
    typeof title === 'string' && hasChinese(title) && namedFields.has(name) ? [title] : [],
  )
}

/**
 * Every label of a screen: those of its sources, and those of the lists and titles that it imports from the contract.
 */
export async function labelsOfPage(page: string): Promise<Labels> {
  const files = filesOf(page)
  const labels = newLabels()
  const merge = (more: Labels) => {
    for (const part of Object.keys(labels) as (keyof Labels)[]) more[part].forEach((text) => labels[part].add(text))
  }
  const words = new Set<string>()
  for (const file of files) {
    merge(labelsOfTree(parseFile(file)))
    wordsOf(parseFile(file)).forEach((word) => words.add(word))
  }
  for (const file of files)
    for (const { from, name } of importsOf(parseFile(file))) {
      if (!from.startsWith('@wattdeck/contract/') || name === '' || name === '*') continue
      const module = (await import(from)) as Record<string, unknown>
      const value = module[name]
      if (isSpec(value)) merge(labelsOfSpec(value))
      else titlesOf(value, words).forEach((title) => labels.column.add(title))
    }
  return {
    ...labels,
    column: labels.column.size > 2 ? labels.column : new Set([...labels.column, ...labels.text]),
    filter: labels.filter.size > 0 ? labels.filter : labels.input,
  }
}
