import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { limitsText } from './limits.ts'
import { collectLogLines } from './log-lines.ts'

/** `npm run docs` writes the figures of the documents from the code and checks their links; --verify only compares. */
const readme = 'README.md'
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
  .toString()
  .split('\n')
  .filter((file) => file !== '' && existsSync(file))
const testFiles = files.filter((file) => file.endsWith('.test.ts'))

/** A test counts once per declaration: a loop over all routes is one, and so is a table of examples. */
const writtenIn = (file: string) => readFileSync(file, 'utf8').match(/^\s*it(?:\.each)?[(<]/gm)?.length ?? 0
const written = testFiles.reduce((sum, file) => sum + writtenIn(file), 0)

const figures: Record<string, string> = {
  'tests-written': written.toLocaleString('en'),
  'test-files': testFiles.length.toLocaleString('en'),
}
const text = readFileSync(readme, 'utf8')
const filled = text.replaceAll(/<!--(\S+)-->[^<]*<!--\/-->/g, (whole, name: string) =>
  figures[name] === undefined ? whole : `<!--${name}-->${figures[name]}<!--/-->`,
)
if (!Object.keys(figures).every((name) => text.includes(`<!--${name}-->`)))
  throw new Error(`${readme} lacks the placeholder of a figure: ${Object.keys(figures).join(', ')}`)
if (!process.argv.includes('--verify')) writeFileSync(readme, filled)
else if (filled !== text) throw new Error(`${readme} is stale: npm run docs`)
console.log(`${figures['tests-written']} tests written in ${figures['test-files']} files`)

/** Log messages with the action of the operator for each, from docs/spec/log-lines.csv. */
function logLinesText(): string {
  const logged = collectLogLines(
    files.filter((file) => /^apps\/(?:server|gateway)\/src\/.*\.ts$/.test(file) && !file.endsWith('.test.ts')),
  )
  const [, ...rows] = readFileSync('docs/spec/log-lines.csv', 'utf8').trim().split('\n')
  const actions = new Map(rows.map((row) => readRow(row)))
  const missing = [...logged.keys()].filter((message) => !actions.has(message))
  const unused = [...actions.keys()].filter((message) => !logged.has(message))
  if (missing.length + unused.length > 0)
    throw new Error(
      `docs/spec/log-lines.csv lacks: ${missing.join('; ')}. It lists messages that are not logged: ${unused.join('; ')}`,
    )
  return [...actions]
    .map(([message, action]) => `- \`${message}\` (${[...(logged.get(message) ?? [])].join(', ')}). ${action}`)
    .join('\n')
}
function readRow(row: string): [string, string] {
  const [, quoted, plain, action = ''] = /^(?:"((?:[^"]|"")*)"|([^,]*)),(.*)$/.exec(row) ?? []
  return [quoted ?? plain ?? '', action.replace(/^"(.*)"$/, '$1').replaceAll('""', '"')]
}
const operations = 'docs/operations.md'
const operationsText = readFileSync(operations, 'utf8')
const listed = operationsText.replace(
  /<!--log-lines-->[\s\S]*<!--\/log-lines-->/,
  () => `<!--log-lines-->\n\n${logLinesText()}\n\n<!--/log-lines-->`,
)
if (!process.argv.includes('--verify')) writeFileSync(operations, listed)
else if (listed !== operationsText) throw new Error(`${operations} is stale: npm run docs`)

/**
 * A code block under `<!--file: path-->` is a copy of that file, so the examples of a document compile and are tested.
 */
const contributing = 'CONTRIBUTING.md'
const contributingText = readFileSync(contributing, 'utf8')
const shown = contributingText.replaceAll(
  /<!--file: (\S+)-->\n\n```(\w+)\n[\s\S]*?\n```/g,
  (_, path: string, language: string) =>
    `<!--file: ${path}-->\n\n\`\`\`${language}\n${readFileSync(path, 'utf8').trimEnd()}\n\`\`\``,
)
if (!process.argv.includes('--verify')) writeFileSync(contributing, shown)
else if (shown !== contributingText) throw new Error(`${contributing} is stale: npm run docs`)

// Ignores spaces, which belong to the formatter.
const limits = 'docs/limits.md'
const squeezed = (table: string) => table.replaceAll(/ +|-+/g, ' ')
const fresh = limitsText()
if (squeezed(fresh) !== squeezed(readFileSync(limits, 'utf8'))) {
  if (process.argv.includes('--verify')) throw new Error(`${limits} is stale: npm run docs`)
  writeFileSync(limits, fresh)
}

/** Relative links, and backquoted paths of source files, which may omit their first folders. */
const wordsOfExamples = /notice-board|notice_board|NNNN|<|\*/
function brokenIn(document: string): string[] {
  const source = readFileSync(document, 'utf8')
  const links = [...source.matchAll(/\]\((?!https?:|\/)([^)#\s]+)/g)].map(([, link = '']) => link)
  const paths = [...source.matchAll(/`([\w./-]+\/[\w.-]+\.(?:tsx?|sql|csv|conf))`/g)].map(([, path = '']) => path)
  return [
    ...links.filter((link) => !existsSync(join(dirname(document), link))),
    ...paths.filter((path) => !files.some((file) => `/${file}`.endsWith(`/${path}`))),
  ].filter((target) => !wordsOfExamples.test(target))
}
const broken = files
  .filter((file) => file.endsWith('.md') && !file.startsWith('docs/help/'))
  .flatMap((file) => brokenIn(file).map((target) => `${file} names ${target}, which does not exist`))
if (broken.length > 0) throw new Error(broken.join('\n'))
