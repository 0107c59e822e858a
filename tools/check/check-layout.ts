import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { features } from '@wattdeck/contract/all-routes.ts'

/** `npm run layout` verifies the shape of the tree: directions of import first, then sizes, names and words. */
type Cruise = {
  modules: unknown[]
  summary: {
    totalDependenciesCruised: number
    violations: { rule: { name: string }; from: string; to: string; cycle?: { name: string }[] }[]
  }
}

const root = join(import.meta.dirname, '../..')
const findings: string[] = []
const limits = { fileLines: 300, folderFiles: 40, medianPageLines: 120, fewestModules: 50 }
/** Parts that the features of one centre share. */
const sharedFolder = '_shared'

function checkImports(): string {
  const folders = ['packages', 'apps', 'tools', 'e2e', 'bench'].filter((folder) => existsSync(join(root, folder)))
  const command = ['node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', '--config', '.dependency-cruiser.cjs']
  const run = spawnSync(process.execPath, [...command, '--output-type', 'json', ...folders], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 ** 2,
  })
  if (!run.stdout.startsWith('{')) throw new Error(`dependency-cruiser printed no JSON: ${run.stderr}`)
  const { modules, summary } = JSON.parse(run.stdout) as Cruise
  for (const { rule, from, to, cycle } of summary.violations)
    findings.push(`${rule.name}: ${from} → ${cycle?.map(({ name }) => name).join(' → ') ?? to}`)
  // Without its parser the tool reads nothing and passes.
  if (modules.length <= limits.fewestModules) findings.push(`dependency-cruiser saw only ${modules.length} modules`)
  return `${modules.length} modules, ${summary.totalDependenciesCruised} imports`
}

/** Tracked files and untracked ones that are not ignored, so that a finding comes before the commit. */
function readFiles(): Map<string, string> {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  const names = listed
    .toString()
    .split('\0')
    .filter((name) => name !== '' && existsSync(join(root, name)))
  const texts = names.map((name) => [name, readFileSync(join(root, name), 'utf8')] as const)
  return new Map(texts.filter(([, text]) => !text.includes('\0')))
}

const isSource = (name: string) => /\.(ts|tsx|sql)$/.test(name) && !name.endsWith('.gen.ts')
const isTest = (name: string) => /\.test\.tsx?$|(^|\/)test\/|^e2e\//.test(name)
const isPage = (name: string) => name.endsWith('.page.tsx')
const lineCount = (text: string) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0)

function checkSizes(files: Map<string, string>): string {
  // A migration is as long as it needs to be: it contains a complete function, and in its down part the replaced one.
  for (const [name, text] of files)
    if (isSource(name) && !isTest(name) && !name.endsWith('.sql') && lineCount(text) > limits.fileLines)
      findings.push(`${name} has ${lineCount(text)} lines, more than ${limits.fileLines}`)
  const pages = [...files].filter(([name]) => isPage(name)).map(([, text]) => lineCount(text))
  const median = pages.toSorted((a, b) => a - b)[Math.floor(pages.length / 2)] ?? 0
  if (median > limits.medianPageLines)
    findings.push(`the median page has ${median} lines, more than ${limits.medianPageLines}`)
  return `${pages.length} pages of ${median} lines in the median`
}

const word = '[a-z\\d]+(?:-[a-z\\d]+)*'
const goodNames = [
  new RegExp(`^${word}(?:\\.${word})*\\.(?:ts|tsx)$`),
  /^[A-Z][A-Za-z\d]*\.tsx$/,
  /^\d{4}_[a-z\d]+(?:[-_][a-z\d]+)*\.sql$/,
  new RegExp(`^${word}\\.sql$`),
]

function checkNames(name: string): void {
  if (!isSource(name)) return
  if (!goodNames.some((pattern) => pattern.test(basename(name))))
    findings.push(`${name}: a file is named in kebab-case, a component in PascalCase.tsx`)
  if (
    name
      .split('/')
      .slice(0, -1)
      .some((folder) => folder !== sharedFolder && !new RegExp(`^${word}$`).test(folder))
  )
    findings.push(`${name}: a folder is named in kebab-case`)
}

/** A reader finds a file in a folder of this size without searching. Migrations are read by their number. */
function checkFolders(files: Map<string, string>): string {
  const sources = [...files.keys()].filter(
    (name) => /\.(?:ts|tsx|css|sql)$/.test(name) && !name.includes('/migrations/'),
  )
  const folders = Map.groupBy(sources, (name) => name.slice(0, name.lastIndexOf('/')))
  for (const [folder, names] of folders)
    if (names.length > limits.folderFiles)
      findings.push(`${folder} has ${names.length} source files, more than ${limits.folderFiles}`)
  return `${folders.size} folders, the largest of ${Math.max(...[...folders.values()].map((names) => names.length))} files`
}

type Ban = { what: string; pattern: RegExp; where: (name: string) => boolean }
// This file contains the banned words; the lock file has its own check below.
const isProse = (name: string) => name !== 'tools/check/check-layout.ts' && name !== 'package-lock.json'
const bans: Ban[] = [
  { what: 'a promise instead of work', pattern: /\b(?:TODO|FIXME)\b|coming soon|敬请期待|暂未开放/, where: isProse },
  {
    what: 'a name that was replaced',
    pattern:
      /\b(?:makeWorld|PayWorld|ReconWorld|DeviceNews|takeNews|gatherWrites|accountWord|portW|asWanted|tellAll|tellOrganise|forgetful|keyed|Reckoned|takeCommandNews|own-engines|table-habits|second-text|command-news|route-world)\b|_scope: Scope|\btype Sure\b|\.rests\(|\bbury\(|\btype (?:Wish|Ask|Asked|Said|Told|Heard)\b|(?<!pass)words\.ts\b|\bworld\./,
    where: (name) => isProse(name) && isSource(name),
  },
  {
    what: 'a comment in dialect instead of a component or role as its subject',
    pattern: /(?:\/\/ |\/\*\*? |^\s*\* ).*\b(?:whoever|nobody|somebody|anybody|told|asked|heard|hears)\b(?!`)/i,
    where: (name) => isProse(name) && /\.tsx?$/.test(name) && !name.endsWith('.gen.ts'),
  },
  { what: 'a path of one machine', pattern: /(?<![\w.-])\/work\/|(?<![\w-])shared\//, where: isProse },
  {
    what: 'a call around the kit',
    pattern: /(?<![.\w])fetch\(|(?:window|globalThis)\.fetch|XMLHttpRequest/,
    where: isPage,
  },
  { what: 'a colour of its own', pattern: /(?<=['"`\s:(])#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})\b/i, where: isPage },
  { what: 'a table around the kit', pattern: /import\s*\{[^}]*\bTable\b[^}]*\}\s*from\s*'antd'/, where: isPage },
  { what: 'a registry host', pattern: /"resolved": "\w+:\/\/[^"]*"/, where: (name) => name === 'package-lock.json' },
  { what: 'a registry host', pattern: /^.*registry\s*=.*$/m, where: (name) => name.endsWith('.npmrc') },
]

function checkWords(name: string, text: string): void {
  for (const { what, pattern, where } of bans) {
    const found = where(name) ? pattern.exec(text) : null
    if (found) findings.push(`${name}:${lineCount(text.slice(0, found.index) + '.')}: ${what}: ${found[0].trim()}`)
  }
}

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/**
 * One feature, one name, in contract and server. A feature without its own table gives the reason in its routes file.
 */
function checkFeatures(files: Map<string, string>): string {
  const names = Object.keys(features).map(kebab)
  for (const feature of names) {
    const contract = [...files.keys()].find(
      (name) => name.startsWith('packages/contract/src/') && basename(name) === `${feature}.ts`,
    )
    const centre = contract?.split('/')[3]
    const folder = `apps/server/src/features/${centre}/${feature}/${feature}`
    const routes = files.get(`${folder}.routes.ts`)
    if (centre === undefined) findings.push(`feature ${feature}: the contract has no file of its name`)
    else if (routes === undefined) findings.push(`feature ${feature}: ${folder}.routes.ts is missing`)
    else if (!files.has(`${folder}.store.ts`) && !/(?:\/\/|\*) No store: \w|= crudFeature\(/.test(routes))
      findings.push(`feature ${feature}: ${folder}.store.ts is missing, and no comment 'No store: …' says why`)
  }
  return `${names.length} features`
}

const imports = checkImports()
const files = readFiles()
const pages = checkSizes(files)
const folders = checkFolders(files)
for (const [name, text] of files) {
  checkNames(name)
  checkWords(name, text)
}
const built = checkFeatures(files)
console.log(`layout: ${imports}; ${files.size} files, ${folders}; ${pages}; ${built}`)
for (const finding of findings) console.log(`  ${finding}`)
console.log(findings.length === 0 ? 'layout: no finding' : `layout: ${findings.length} findings`)
process.exitCode = findings.length > 0 ? 1 : 0
