import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'

const folder = 'apps/server/db/migrations'
const hashes = 'apps/server/db/migrations.sha256'
/** Migrations before this one predate the rules. */
const firstJudged = '0084'

type Rule = { what: string; pattern: RegExp }
/** Statements that block other sessions, or break the previous version of the code during a rolling upgrade. */
const rules: readonly Rule[] = [
  {
    what: 'changes the type of a column, which rewrites the table',
    pattern: /\balter\s+(?:column\s+)?\w+\s+(?:set\s+data\s+)?type\b/,
  },
  { what: 'renames a table or column that running code uses', pattern: /\brename\s+(?:column\s+)?(?:\w+\s+)?to\b/ },
  { what: 'drops a column that running code may read', pattern: /\bdrop\s+column\b/ },
  { what: 'drops a table that running code may read', pattern: /\bdrop\s+table\b/ },
  { what: 'makes a column required in a table with rows', pattern: /\balter\s+(?:column\s+)?\w+\s+set\s+not\s+null\b/ },
  {
    what: 'adds a required column without a default',
    pattern:
      /\badd\s+column\s+(?:if\s+not\s+exists\s+)?\w+\s+[^,;]*\bnot\s+null\b(?![^,;]*\bdefault\b)(?<!\bdefault\b[^,;]*)/,
  },
  {
    what: 'proves a constraint while everybody waits: add it not valid, and validate it in another migration',
    pattern: /\badd\s+constraint\s+\w+\s+(?:check|foreign\s+key)\b(?![^;]*\bnot\s+valid\b)/,
  },
  {
    what: 'updates or deletes rows without a bound: do it in slices by a job',
    pattern: /^\s*(?:update|delete\s+from)\b/m,
  },
]

/** A table that the migration creates has no rows and no readers. */
const newTables = (up: string) =>
  [...up.matchAll(/\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/g)].map(([, name]) => name)

const withoutComments = (sql: string) => sql.replaceAll(/--[^\n]*/g, '').replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")

/** The body of a function runs later, row by row of its caller. A `do` block runs now and is judged. */
const withoutFunctionBodies = (sql: string) => sql.replaceAll(/\bas\s+\$(\w*)\$[\s\S]*?\$\1\$/gi, "as ''")

/**
 * The findings of a migration, one line each. A step that is safe for a reason outside its text, such as the second
 * half of expand and contract, needs `-- safe: why` above the statement.
 */
export function migrationFindings(sql: string): string[] {
  const [up = ''] = sql.split(/^-- Down Migration/m)
  const tables = newTables(up)
  return withoutFunctionBodies(up)
    .split(/;\s*\n/)
    .flatMap((statement) => {
      if (/^--\s*safe: \w/m.test(statement)) return []
      const text = withoutComments(statement).toLowerCase().trim()
      const table = /\b(?:alter\s+table|on)\s+(?:only\s+)?(\w+)/.exec(text)?.[1]
      if (table !== undefined && tables.includes(table)) return []
      const found = rules.filter(({ pattern }) => pattern.test(text)).map(({ what }) => what)
      const blocking = /^create\s+(?:unique\s+)?index\b(?!\s+concurrently)/.test(text)
      return [...found, ...(blocking ? ['builds an index while nobody can write'] : [])].map(
        (what) => `${what}: ${text.slice(0, 80).replaceAll(/\s+/g, ' ')}`,
      )
    })
}

/** Checks the migrations. With `write` it records the hashes of new ones; a recorded migration must never change. */
export function checkMigrations(write: boolean): void {
  const names = readdirSync(folder).toSorted()
  const recorded = new Map(
    (existsSync(hashes) ? readFileSync(hashes, 'utf8') : '')
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split('  ').toReversed() as [string, string]),
  )
  const problems: string[] = []
  for (const name of names) {
    const sql = readFileSync(`${folder}/${name}`, 'utf8')
    const hash = createHash('sha256').update(sql).digest('hex')
    const before = recorded.get(name)
    if (before !== undefined && before !== hash) problems.push(`${name} was changed after it was taken down`)
    if (before === undefined && !write) problems.push(`${name} is not in ${hashes}: npm run db:types`)
    if (before === undefined) recorded.set(name, hash)
    if (name >= firstJudged) problems.push(...migrationFindings(sql).map((finding) => `${name} ${finding}`))
  }
  for (const name of recorded.keys()) if (!names.includes(name)) problems.push(`${name} is gone`)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  if (write) writeFileSync(hashes, [...recorded].map(([name, hash]) => `${hash}  ${name}\n`).join(''))
}
