import { readFile } from 'node:fs/promises'
import type { RunnerOption } from 'node-pg-migrate'

type Strategy = NonNullable<RunnerOption['migrationLoaderStrategies']>[number]
type Builder = { noTransaction: () => void; sql: (text: string) => void }

/**
 * Parses migrations. One with the line `-- no transaction` runs outside a transaction, statement by statement. This
 * suits `create index concurrently` and other statements that must not hold a lock until the end.
 */
export const sqlMigrations: Strategy = {
  extensions: ['.sql'],
  loader: async (paths) =>
    Promise.all(
      paths.map(async (path) => {
        const [up = '', down = ''] = (await readFile(path, 'utf8')).split(/^-- Down Migration$/m)
        const isAlone = /^-- no transaction$/m.test(up)
        const run = (text: string) => (builder: Builder) => {
          if (isAlone) builder.noTransaction()
          for (const statement of isAlone ? statementsOf(text) : [text]) builder.sql(statement)
        }
        return { id: path, filePaths: [path], actions: { up: run(up), down: run(down) } }
      }),
    ),
}

const statementsOf = (text: string) =>
  text
    .split(/;\s*\n/)
    .filter((statement) => statement.replaceAll(/^--[^\n]*$/gm, '').trim() !== '')
    .map((statement) => `${statement};`)
