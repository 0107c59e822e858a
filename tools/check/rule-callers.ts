import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { root } from './spec-csv.ts'
import {
  field,
  fieldList,
  headOf,
  type Imported,
  importsOf,
  nameOf,
  type Node,
  parseFile,
  textOf,
  walk,
} from './source-tree.ts'

/** A function or value of the rules, by the file that exports it. */
type Exported = { file: string; name: string }

const ruleSource = /^(packages\/domain\/src|apps\/console\/src\/kit)\//
const isHelper = (file: string) => /\.(test|fixture)\.tsx?$|\/test\//.test(file)

/** The file that a specifier names, from the root of the project. */
function resolveSpecifier(from: string, specifier: string): string | undefined {
  const [, name = '', rest = ''] = /^@wattdeck\/([^/]+)\/(.+)$/.exec(specifier) ?? []
  const path = name === '' ? normalize(join(dirname(from), specifier)) : `packages/${name}/src/${rest}`
  return (name !== '' || specifier.startsWith('.')) && existsSync(join(root, path)) ? path : undefined
}

/** Ids in brackets at the head of a title. */
const idsOf = (title: string) =>
  [...(/^(?:\[[a-z]+(?:\.[a-z\d-]+)+\]\s*)+/.exec(title)?.[0] ?? '').matchAll(/\[([^\]]+)\]/g)].map(([, id = '']) => id)

/** Functions and values that a file declares, by name. */
function declarationsOf(tree: Node): Map<string, Node> {
  const found = new Map<string, Node>()
  walk(tree, (node) => {
    if (node.type === 'VariableDeclarator' || node.type === 'FunctionDeclaration')
      found.set(nameOf(field(node, 'id')), node)
  })
  return found
}

/** Names that a node uses, as 'name' or as 'namespace.name'; with those that the declarations it uses use. */
function namesIn(node: Node, declarations: ReadonlyMap<string, Node>, seen = new Set<Node>()): Set<string> {
  const names = new Set<string>()
  if (seen.has(node)) return names
  seen.add(node)
  walk(node, (one) => {
    if (one.type === 'MemberExpression') names.add(`${nameOf(field(one, 'object'))}.${nameOf(field(one, 'property'))}`)
    if (one.type === 'Identifier' || one.type === 'JSXIdentifier') names.add(nameOf(one))
  })
  for (const name of names) {
    const declared = declarations.get(name)
    if (declared) namesIn(declared, declarations, seen).forEach((more) => names.add(more))
  }
  return names
}

/** Resolves the named imports of a file: used names, as exports of their source files. */
function exportsUsed(file: string, imports: readonly Imported[], used: ReadonlySet<string>): Exported[] {
  return imports.flatMap(({ from, name, local }) => {
    const source = resolveSpecifier(file, from)
    if (source === undefined || name === '') return []
    if (name !== '*') return used.has(local) ? [{ file: source, name }] : []
    const members = [...used].filter((one) => one.startsWith(`${local}.`))
    return members.map((one) => ({ file: source, name: one.slice(local.length + 1) }))
  })
}

/** For each rule the functions of the domain and of the console's kit that its tests call. */
export function testedFunctions(files: readonly string[], parse: (file: string) => Node = parseFile) {
  const found = new Map<string, Map<string, Exported>>()
  for (const file of files) {
    const tree = parse(file)
    const imports = importsOf(tree)
    const declarations = declarationsOf(tree)
    walk(tree, (node) => {
      const [title, ...rest] = node.type === 'CallExpression' ? fieldList(node, 'arguments') : []
      const ids = title === undefined ? [] : idsOf(textOf(title) ?? headOf(title))
      if (ids.length === 0) return
      const used = new Set(rest.flatMap((one) => [...namesIn(one, declarations)]))
      for (const one of exportsUsed(file, imports, used)) {
        if (!ruleSource.test(one.file) || isHelper(one.file)) continue
        for (const id of ids) found.set(id, (found.get(id) ?? new Map()).set(`${one.file}#${one.name}`, one))
      }
    })
  }
  return found
}

type Sources = { files: readonly string[]; text: (file: string) => string; parse: (file: string) => Node }

const productSources = (): Sources => ({
  files: globSync('{packages/*,apps/{server,gateway,console}}/src/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !isHelper(file),
  ),
  text: (file) => readFileSync(join(root, file), 'utf8'),
  parse: parseFile,
})

/** Tells whether the product uses an export: another file names it, or a used declaration of its own file does. */
export function callerFinder(sources: Sources = productSources()) {
  const texts = new Map(sources.files.map((file) => [file, sources.text(file)]))
  const answers = new Map<string, boolean>()

  function isImported({ file, name }: Exported): boolean {
    return sources.files.some((other) => {
      if (other === file || texts.get(other)?.includes(name) !== true) return false
      const tree = sources.parse(other)
      const used = namesIn(tree, new Map())
      return exportsUsed(other, importsOf(tree), used).some((one) => one.file === file && one.name === name)
    })
  }

  return function isUsed(one: Exported): boolean {
    const key = `${one.file}#${one.name}`
    const cached = answers.get(key)
    if (cached !== undefined) return cached
    answers.set(key, false)
    const beside = [...declarationsOf(sources.parse(one.file))].filter(
      ([name, node]) => name !== '' && name !== one.name && namesIn(node, new Map()).has(one.name),
    )
    const answer = isImported(one) || beside.some(([name]) => isUsed({ file: one.file, name }))
    answers.set(key, answer)
    return answer
  }
}
