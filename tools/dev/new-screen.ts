import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * `npm run new -- product/supplier 供应商` writes the files of a plain screen. They are renamed copies of the supplier
 * files, which compile and are tested; adapt fields, texts and the table.
 */
const example = { feature: 'supplier', centre: 'product', noun: '供应商', migration: '0084_suppliers.sql' }
const migrations = 'apps/server/db/migrations'

type Screen = { centre: string; feature: string; noun: string }

const camel = (kebab: string) => kebab.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
const pascal = (kebab: string) => camel(`-${kebab}`)

const filesOf = ({ centre, feature }: Omit<Screen, 'noun'>): string[] => [
  `packages/contract/src/${centre}/${feature}.ts`,
  `apps/server/src/features/${centre}/${feature}/${feature}.routes.ts`,
  `apps/console/src/features/${centre}/${feature}/${feature}.page.tsx`,
  `docs/help/${feature}.md`,
]

/** The text of an example file under another name. Without the phone, which needs more than a plain screen. */
export function renamed(text: string, { centre, feature, noun }: Screen): string {
  const isSql = text.startsWith('create table')
  return text
    .split('\n')
    .filter((line) => !/phone: f\.|^ *personal: |^ +phone text|^- \*\*电话/.test(line))
    .join('\n')
    .replaceAll("'phone', ", '')
    .replaceAll(`contract/${example.centre}/${example.feature}.ts`, `contract/${centre}/${feature}.ts`)
    .replaceAll(pascal(example.feature), pascal(feature))
    .replaceAll(`table: '${example.feature}'`, `table: '${feature.replaceAll('-', '_')}'`)
    .replaceAll(example.feature, isSql ? feature.replaceAll('-', '_') : camel(feature))
    .replaceAll(`contract/${centre}/${camel(feature)}.ts`, `contract/${centre}/${feature}.ts`)
    .replaceAll(example.noun, noun)
}

/** Path and text of every file of a new screen. */
export function newScreen(screen: Screen, nextMigration: string): Map<string, string> {
  const read = (path: string) => readFileSync(path, 'utf8')
  const sources = [...filesOf(example), `${migrations}/${example.migration}`]
  const table = screen.feature.replaceAll('-', '_')
  const targets = [...filesOf(screen), `${migrations}/${nextMigration}_${table}.sql`]
  return new Map(targets.map((target, place) => [target, renamed(read(sources[place] ?? ''), screen)]))
}

function run(): void {
  const [path = '', noun = ''] = process.argv.slice(2)
  const [centre = '', feature = ''] = path.split('/')
  if (!/^[a-z][a-z-]*\/[a-z][a-z-]*$/.test(path) || noun === '') {
    console.error('usage: npm run new -- <centre>/<feature> <noun>')
    process.exitCode = 1
    return
  }
  const last = Math.max(...globSync(`${migrations}/*.sql`).map((file) => Number(/(\d{4})_/.exec(file)?.[1])))
  const files = newScreen({ centre, feature, noun }, String(last + 1).padStart(4, '0'))
  for (const target of files.keys()) if (existsSync(target)) throw new Error(`${target} exists`)
  for (const [target, text] of files) {
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
    console.log(target)
  }
  const name = camel(feature)
  console.log(`Add a line to menus in packages/contract/src/menu-keys.ts, with the next key of its group:
  ${name}: { key: '', title: '${noun}管理', icon: 'appstore', route: '/${centre}/${name}' },
Change fields, table and texts, then: npm run registry && npm run setup && npm run db:types && npm run docs`)
}

if (import.meta.main) run()
